#!/usr/bin/env python3
"""Makes one site of README, guide, changelog and the articles of the modules: site.py SITE

SITE/reference has what DocC has made of the modules; everything else in SITE is made anew. Files keep their paths below
SITE, with `.html` for pages and for text files that a page links to. The exit code is 1 if a link leads nowhere.
"""
import html
import json
import os
import pathlib
import posixpath
import re
import shutil
import sys
import urllib.parse
from html.parser import HTMLParser

from markdown_it import MarkdownIt

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "CHANGELOG.md"] + sorted(str(p.relative_to(ROOT)) for p in (ROOT / "docs").glob("*.md"))
MARKDOWN = MarkdownIt("commonmark").enable("table")


def slug(heading: str) -> str:
    """The anchor of a heading, as on GitHub."""
    return "".join(c for c in heading.lower() if c.isalnum() or c in "-_ ").replace(" ", "-")


def article(path: str) -> str | None:
    """The address of what DocC makes of a file, from the top of the site."""
    match = re.fullmatch(r"Sources/(\w+)/\1\.docc/(\w+)\.md", path)
    if not match:
        return None
    module, name = match.group(1).lower(), match.group(2).lower()
    return f"reference/documentation/{module}/" + ("" if name == module else f"{name}/")


class Site:
    def __init__(self, directory: pathlib.Path):
        self.directory = directory
        # Files and directories that a page links to, by their paths in the repository.
        self.linked: set[str] = set()

    def address(self, target: str, folder: str, page: str) -> str:
        """The address on a page of what a link in a folder of the repository leads to."""
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return target
        path, hash_sign, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(folder, urllib.parse.unquote(path)))
        place = article(path) or self.place(path)
        address = posixpath.relpath(place, posixpath.dirname(page) or ".") + ("/" if place.endswith("/") else "")
        return address + hash_sign + anchor

    def place(self, path: str) -> str:
        """The place in the site of a file or directory of the repository."""
        if path in PAGES:
            return path.removesuffix(".md") + ".html"
        self.linked.add(path)
        if (ROOT / path).is_dir():
            return path + "/index.html"
        return path if path.endswith((".png", ".svg", ".ts")) else path + ".html"

    def rendered(self, text: str, folder: str, page: str) -> str:
        """The HTML of Markdown that stands in a folder of the repository, for a page of the site."""
        tokens = [t for t in MARKDOWN.parse(text) if not (t.type == "html_block" and t.content.lstrip().startswith("<!--"))]
        counts: dict[str, int] = {}
        for token, following in zip(tokens, tokens[1:] + [None]):
            if token.type == "heading_open":
                name = slug(following.content)
                count = counts[name] = counts.get(name, -1) + 1
                token.attrSet("id", f"{name}-{count}" if count else name)
            for child in token.children or []:
                for attribute in ("href", "src"):
                    if attribute in child.attrs:
                        child.attrSet(attribute, self.address(str(child.attrs[attribute]), folder, page))
        return MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})

    def write(self, page: str, title: str, body: str) -> None:
        top = posixpath.relpath(".", posixpath.dirname(page) or ".")
        links = {"index.html": "packager", "README.html": "README", "docs/README.html": "Guide", "CHANGELOG.html": "Changelog"}
        menu = "".join(f'<a href="{top}/{place}">{name}</a>' for place, name in links.items())
        file = self.directory / page
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
            f'<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="{top}/style.css"></head>\n'
            f"<body><nav>{menu}</nav>\n{body}</body></html>\n"
        )

    def write_pages(self) -> None:
        for path in PAGES:
            text = (ROOT / path).read_text()
            page = self.place(path)
            self.write(page, title(text), self.rendered(text, posixpath.dirname(path), page))

    def write_front(self) -> None:
        readme = (ROOT / "README.md").read_text()
        guide = (ROOT / "docs/README.md").read_text()
        table = "\n".join(line for line in guide.split("\n") if line.startswith("|"))
        rows = [f"| [{name}]({path}) | {abstract} |" for name, path, abstract in articles()]
        body = self.rendered(readme.split("\n## ")[0], "", "index.html")
        start = "[The first event in ten minutes](README.md#first-event-in-ten-minutes) is the place to begin.\n\n## Guide\n"
        body += self.rendered(start, "", "index.html") + self.rendered(table, "docs", "index.html")
        listing = "## Articles\n\nFor those who change the program.\n\n| article | about |\n|---|---|\n" + "\n".join(rows)
        self.write("index.html", "packager", body + self.rendered(listing, "", "index.html"))

    def write_linked(self) -> None:
        """Copies what pages link to, pictures as they are and texts as pages."""
        for path in sorted(self.linked):
            source = ROOT / path
            if source.is_dir():
                names = sorted(p.name for p in source.iterdir() if p.is_file())
                for name in names:
                    self.write_file(f"{path}/{name}")
                items = "\n".join(f"- [{name}]({name})" for name in names)
                self.write(f"{path}/index.html", path, self.rendered(f"# {path}\n\n{items}\n", path, f"{path}/index.html"))
            elif source.exists():
                self.write_file(path)

    def write_file(self, path: str) -> None:
        place = self.place(path)
        if place == path:
            (self.directory / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, self.directory / path)
        else:
            text = html.escape((ROOT / path).read_text())
            self.write(place, path, f"<h1>{html.escape(path)}</h1>\n<pre>{text}</pre>\n")


def title(text: str) -> str:
    match = re.search(r"^# +(.+)$", text, re.MULTILINE)
    return match.group(1).replace("`", "") if match else ""


def articles() -> list[tuple[str, str, str]]:
    """Name, path and first paragraph of each article, those of a module behind its overview."""
    found = []
    for file in ROOT.glob("Sources/*/*.docc/*.md"):
        module, text = file.parent.stem, file.read_text()
        abstract = " ".join(text.split("\n\n")[1].split()).replace("``", "`").replace("|", "\\|")
        name = module if file.stem == module else f"{module}: {title(text)}"
        found.append(((module, file.stem != module, name), name, str(file.relative_to(ROOT)), abstract))
    return [entry[1:] for entry in sorted(found)]


class References(HTMLParser):
    """What a page links to, and what of it can be linked to."""

    def __init__(self, text: str):
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.targets.append(value)
            if name == "id" and value:
                self.anchors.add(value)


def dead_links(directory: pathlib.Path) -> list[str]:
    """The links of pages that lead nowhere within the site. What is elsewhere is not asked for."""
    files = [f for f in directory.rglob("*.html") if "reference" not in f.relative_to(directory).parts[:1]]
    pages = {file: References(file.read_text()) for file in files}
    dead = []
    for file, page in pages.items():
        for target in page.targets:
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            found = pathlib.Path(os.path.normpath(file.parent / urllib.parse.unquote(path))) if path else file
            if found.is_dir():
                found /= "index.html"
            is_there = found.is_file() and found.is_relative_to(directory)
            if not is_there or anchor and found in pages and anchor not in pages[found].anchors:
                dead.append(f"{file.relative_to(directory)}: {target}")
    return dead


def dead_references(reference: pathlib.Path) -> list[str]:
    """The links of DocC's articles that lead to no page of its own."""
    dead = []
    for file in sorted((reference / "data/documentation").rglob("*.json")):
        page = json.loads(file.read_text())
        if page.get("metadata", {}).get("role") not in ("article", "collection", "collectionGroup"):
            continue
        for entry in page.get("references", {}).values():
            address = urllib.parse.unquote(entry.get("url", "")).partition("#")[0]
            if address.startswith("/documentation/") and not (reference / f"data{address}.json").is_file():
                dead.append(f"{file.relative_to(reference)}: {address}")
    return dead


def main() -> int:
    directory = pathlib.Path(sys.argv[1]).resolve()
    reference = directory / "reference"
    for old in directory.iterdir():
        if old != reference:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    site = Site(directory)
    site.write_pages()
    site.write_front()
    site.write_linked()
    shutil.copyfile(ROOT / "docs/site/style.css", directory / "style.css")
    dead = dead_links(directory) + dead_references(reference)
    for link in dead:
        print(f"leads nowhere: {link}", file=sys.stderr)
    if not dead:
        print(f"site: {directory}; to look at it: python3 -m http.server --directory {directory}")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
