#!/usr/bin/env python3
"""judge.py FILE [SECRET...]: reads manifests as a cluster would, by other people's schemas and by what objects say of each other.

Prints a line for each thing that is wrong, and exits with 1 then. No SECRET may be anywhere in the file. Kinds that Kubernetes itself
does not have (HTTPRoute, ServiceMonitor) are held to the fields that their own definitions have.
"""

import re
import sys

import kubernetes_validate
import yaml

# The oldest that has all fields, and the newest that the schemas are of.
VERSIONS = ["1.27", kubernetes_validate.latest_version()]
PROBLEMS = []


def expect(is_so, *words):
    if not is_so:
        PROBLEMS.append(" ".join(str(word) for word in words))


def find(objects, kind, name=None):
    found = [one for one in objects if one["kind"] == kind and name in (None, one["metadata"]["name"])]
    return found if name is None else found[0] if found else None


def by_schemas(objects):
    for one in objects:
        label = f"{one['kind']} {one['metadata']['name']}:"
        for version in VERSIONS:
            try:
                kubernetes_validate.validate(one, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                expect(False, label, version, list(error.path), error.message)
            except kubernetes_validate.SchemaNotFoundError:
                expect(one["kind"] in ("HTTPRoute", "ServiceMonitor"), label, "no such kind")
        names = [(one["kind"], other["metadata"]["name"]) for other in objects if other["kind"] == one["kind"]]
        expect(names.count((one["kind"], one["metadata"]["name"])) == 1, label, "the name is there twice")
        expect(re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", one["metadata"]["name"]), label, "no name")


def pods(stateful):
    return [f"{stateful['metadata']['name']}-{number}" for number in range(stateful["spec"]["replicas"])]


def selects(selector, stateful, pod=None):
    labels = dict(stateful["spec"]["template"]["metadata"]["labels"])
    if pod:
        labels["statefulset.kubernetes.io/pod-name"] = pod
    return selector.items() <= labels.items()


def stateful_set(stateful, objects):
    name, spec = stateful["metadata"]["name"], stateful["spec"]
    template = spec["template"]["spec"]
    expect(spec["replicas"] == 2, name, "is no pair")
    expect(selects(spec["selector"]["matchLabels"], stateful), name, "does not select its pods")
    [rule] = template["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    expect(rule["topologyKey"] == "kubernetes.io/hostname", name, "is not on two machines")
    expect(selects(rule["labelSelector"]["matchLabels"], stateful), name, "keeps away from others than itself")
    expect(template["securityContext"]["runAsNonRoot"] and template["securityContext"]["runAsUser"] > 0, name, "is root")
    expect(template["enableServiceLinks"] is False, name, "gets variables that look like settings")
    expect(template["terminationGracePeriodSeconds"] > 35, name, "is killed while it ends")
    for container in template.get("initContainers", []) + template["containers"]:
        rights = container["securityContext"]
        expect(rights["readOnlyRootFilesystem"], name, container["name"], "may write to its image")
        expect(not rights["allowPrivilegeEscalation"] and rights["capabilities"]["drop"] == ["ALL"], name, "has rights")
        volumes = {volume["name"] for volume in template["volumes"]}
        volumes |= {claim["metadata"]["name"] for claim in spec.get("volumeClaimTemplates", [])}
        for mount in container["volumeMounts"]:
            expect(mount["name"] in volumes, name, "mounts", mount["name"], "which is not there")
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        get = template["containers"][0][probe]["httpGet"]
        expect(get["path"] in ("/healthz", "/readyz") and get["port"] == "control", name, probe, get)
    budgets = [one for one in find(objects, "PodDisruptionBudget") if selects(one["spec"]["selector"]["matchLabels"], stateful)]
    expect(len(budgets) == 1 and budgets[0]["spec"]["maxUnavailable"] == 1, name, "may lose both")
    peers = find(objects, "Service", spec["serviceName"])
    expect(peers and peers["spec"]["clusterIP"] == "None", name, "has no names for its pods")
    expect(peers and peers["spec"]["publishNotReadyAddresses"], name, "has no names before its pods are ready")


def configurations(stateful, objects):
    """Each pod reads a file of its own, which says that the other is its peer, and where its Secret is."""
    name = stateful["metadata"]["name"]
    template = stateful["spec"]["template"]["spec"]
    container = template["containers"][0]
    [volume] = [volume for volume in template["volumes"] if "configMap" in volume]
    files = find(objects, "ConfigMap", volume["configMap"]["name"])["data"]
    path = container["args"][container["args"].index("--config") + 1]
    [mount] = [mount for mount in container["volumeMounts"] if mount["name"] == volume["name"]]
    expect(path == f"{mount['mountPath']}/$(POD_NAME).yaml", name, "reads", path)
    service = stateful["spec"]["serviceName"]
    given = {f"{mount['mountPath']}/{item['path']}" for mount in container["volumeMounts"] for item in keys(template, mount["name"])}
    for pod, other in zip(pods(stateful), reversed(pods(stateful))):
        document = yaml.safe_load(files[f"{pod}.yaml"])
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        expect(re.fullmatch(rf"https?://{other}\.{service}:{ports['media']}", document["peer"]), pod, document["peer"])
        expect(document["listen"] == f"0.0.0.0:{ports['media']}", pod, document["listen"])
        expect(document["control"] == f"0.0.0.0:{ports['control']}", pod, document["control"])
        for text in texts(document):
            expect("packager-secrets/" not in text or text in given, pod, "has no", text)
            expect(not text.startswith("/etc/packager/"), pod, "has no", text)
        for channel in document["channels"]:
            variables = [variable["name"] for variable in container["env"]]
            expect("input" in channel or "PACKAGER_INPUT" in variables, pod, channel["name"], "has no input")
            expect("input" in channel or len(document["channels"]) == 1, pod, "has feeds of one channel for several")


def keys(template, mount):
    """The keys of the Secret that are below a mounted volume, or are copied there."""
    for volume in template["volumes"]:
        if volume["name"] == mount and "secret" in volume:
            return volume["secret"]["items"]
        if volume["name"] == mount and "emptyDir" in volume:
            [copier] = template["initContainers"]
            copied = [word.rsplit("/", 1)[1] for word in copier["command"] if word.startswith("/etc/")]
            return [{"path": name} for name in copied]
    return []


def texts(value):
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    return [str(value)]


def services(stateful, objects):
    container = stateful["spec"]["template"]["spec"]["containers"][0]
    ports = {(port["name"], port["protocol"]) for port in container["ports"]}
    fed = {pod: set() for pod in pods(stateful)}
    for service in find(objects, "Service"):
        selector = service["spec"].get("selector")
        targets = [pod for pod in pods(stateful) if selector and selects(selector, stateful, pod)]
        for port in service["spec"]["ports"] if targets else []:
            expect((port["targetPort"], port["protocol"]) in ports, service["metadata"]["name"], "leads to no port", port)
            for pod in targets:
                fed[pod].add(port["targetPort"])
    for pod, reached in fed.items():
        expect(reached == {name for name, _ in ports}, pod, "is not reached at all its ports:", reached, ports)
    monitors = [
        one for one in find(objects, "ServiceMonitor")
        if one["spec"]["selector"]["matchLabels"]["packager/group"] == stateful["metadata"]["labels"]["packager/group"]
    ]
    for monitor in monitors:
        [match] = monitor["spec"]["selector"]["matchExpressions"]
        expect(match["operator"] == "In" and match["key"] == "app.kubernetes.io/component", "a monitor", match)
        found = [
            one for one in find(objects, "Service")
            if monitor["spec"]["selector"]["matchLabels"].items() <= one["metadata"]["labels"].items()
            and one["metadata"]["labels"].get(match["key"]) in match["values"]
        ]
        [endpoint] = monitor["spec"]["endpoints"]
        expect([one["metadata"]["name"] for one in found] == [stateful["spec"]["serviceName"]], "a monitor finds", len(found))
        expect(endpoint["port"] in [port["name"] for port in found[0]["spec"]["ports"]], "a monitor asks no port")
        expect(endpoint["path"] == "/metrics" and monitor["spec"]["jobLabel"] == "app.kubernetes.io/name", "a monitor", endpoint)


def targets(route):
    """Paths and the Services that they lead to, most special first."""
    if route["kind"] == "Ingress":
        [rule] = route["spec"]["rules"]
        for path in rule["http"]["paths"]:
            service = path["backend"]["service"]
            yield path["path"], path["pathType"] == "Exact", service["name"], service["port"]["number"]
    else:
        expect(set(route["spec"]) <= {"parentRefs", "hostnames", "rules"}, "a route has", set(route["spec"]))
        for rule in route["spec"]["rules"]:
            expect(set(rule) <= {"matches", "backendRefs", "timeouts"}, "a rule has", set(rule))
            [backend] = rule["backendRefs"]
            for match in rule["matches"]:
                expect(match["path"]["type"] in ("Exact", "PathPrefix"), "a match is", match)
                yield match["path"]["value"], match["path"]["type"] == "Exact", backend["name"], backend["port"]


def routes(objects):
    """Each channel leads to its group, but for what is not for viewers."""
    groups = {}
    for map in find(objects, "ConfigMap"):
        for channel in yaml.safe_load(next(iter(map["data"].values())))["channels"]:
            groups[channel["name"]] = map["metadata"]["name"]
    found = find(objects, "HTTPRoute") + find(objects, "Ingress")
    for route in found:
        paths = list(targets(route))
        for path, _, service, port in paths:
            one = find(objects, "Service", service)
            expect(one and port in [port["port"] for port in one["spec"]["ports"]], path, "leads nowhere:", service, port)
        [(prefix, name)] = [(path, service) for path, exact, service, _ in paths if path.count("/") == 1 and not exact]
        expect(groups.pop(prefix[1:], None) == name, prefix, "leads to", name)
        for hidden in ("window.json", "health.json", "schedule.json", "recorded.json"):
            [service] = [service for path, exact, service, _ in paths if path == f"{prefix}/{hidden}" and exact]
            expect("selector" not in find(objects, "Service", service)["spec"], f"{prefix}/{hidden}", "is for everybody")
    expect(not found or not groups, "no route leads to", groups)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    objects = [one for one in yaml.safe_load_all(text) if one]
    by_schemas(objects)
    if PROBLEMS:
        return
    for secret in sys.argv[2:]:
        expect(secret not in text, secret, "is in the manifests")
    expect(not find(objects, "Secret"), "a Secret is written")
    for stateful in find(objects, "StatefulSet"):
        stateful_set(stateful, objects)
        configurations(stateful, objects)
        services(stateful, objects)
    expect(len({str(one["metadata"].get("namespace")) for one in objects}) == 1, "objects are in several namespaces")
    routes(objects)


main()
print("\n".join(PROBLEMS) or "all objects are right")
sys.exit(1 if PROBLEMS else 0)
