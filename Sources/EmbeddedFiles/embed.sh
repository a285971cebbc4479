#!/bin/sh
# embed.sh TARGET OUTPUT [DIRECTORY]: writes OUTPUT/EmbeddedFiles.swift with the files of pages in TARGET, and the pages in
# Markdown in DIRECTORY, where it is not there already as it would be written.
set -eu
mkdir -p "$2"
{
  echo '/// The files of pages in this module, by their names.'
  echo 'enum EmbeddedFiles {'
  echo '    static let texts: [String: String] = ['
  for file in "$1"/*/*.html "$1"/*/*.css "$1"/*/*.js "$1"/*/*.json "$1"/*/*.svg ${3:+"$3"/*.md}; do
    [ -f "$file" ] || continue
    printf '"%s": #####"""\n' "${file##*/}"
    cat "$file"
    printf '\n"""#####,\n'
  done
  echo '    ]'
  echo '}'
} > "$2/EmbeddedFiles.new"
cmp -s "$2/EmbeddedFiles.new" "$2/EmbeddedFiles.swift" || cp "$2/EmbeddedFiles.new" "$2/EmbeddedFiles.swift"
rm "$2/EmbeddedFiles.new"
