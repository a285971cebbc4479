"""stores.py KIND DIRECTORY: runs a store until it is killed, and prints its URL once it answers.

KIND is moto or seaweedfs, with the bucket `media` and the key AKIDEXAMPLE, or nginx, which takes PUT and DELETE.
"""

import json
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

KEY, SECRET = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"


def is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_ports(count):
    """Ports that no connection is given: Linux takes those from 32768 on for connections that are made, also before a
    store comes to listen on one of them."""
    ports = set()
    while len(ports) < count:
        port = random.randrange(12_000, 32_000)
        if is_free(port):
            ports.add(port)
    return list(ports)


def run(*command):
    """A program that ends with this one."""
    return subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *map(str, command)], stdout=sys.stderr)


def wait(url, process):
    for _ in range(600):
        try:
            return urllib.request.urlopen(url, timeout=2)
        except urllib.error.HTTPError:
            return None
        except OSError:
            if process.poll() is not None:
                sys.exit(f"it has ended with {process.returncode}")
            time.sleep(0.1)
    sys.exit(f"{url} does not answer")


def make_bucket(url):
    import boto3
    from botocore.config import Config

    client = boto3.client(
        "s3",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id=KEY,
        aws_secret_access_key=SECRET,
        config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 20}),
    )
    client.create_bucket(Bucket="media")
    # Players show no credentials.
    statement = {
        "Effect": "Allow",
        "Principal": "*",
        "Action": "s3:GetObject",
        "Resource": "arn:aws:s3:::media/*",
    }
    client.put_bucket_policy(Bucket="media", Policy=json.dumps({"Version": "2012-10-17", "Statement": [statement]}))


def moto(directory):
    [port] = free_ports(1)
    process = run(sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", port)
    url = f"http://127.0.0.1:{port}"
    wait(url, process)
    make_bucket(url)
    return url, process


def seaweedfs(directory):
    ports = free_ports(8)
    identities = [
        {
            "name": "packager",
            "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
            "actions": ["Admin", "Read", "Write", "List"],
        },
        {"name": "anonymous", "actions": ["Read"]},
    ]
    config = directory / "s3.json"
    config.write_text(json.dumps({"identities": identities}))
    names = ["master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc"]
    options = [f"-{name}={port}" for name, port in zip([*names, "s3.port", "s3.port.grpc"], ports)]
    process = run(
        pathlib.Path(sys.executable).parent / "weed",
        "server",
        f"-dir={directory}",
        "-ip=127.0.0.1",
        "-ip.bind=127.0.0.1",
        "-master.volumeSizeLimitMB=64",
        "-volume.max=100",
        "-filer",
        "-s3",
        f"-s3.config={config}",
        *options,
    )
    url = f"http://127.0.0.1:{ports[6]}"
    wait(url, process)
    make_bucket(url)
    return url, process


def nginx(directory):
    [port] = free_ports(1)
    (directory / "www").mkdir()
    temporary = "\n".join(
        f"    {name}_temp_path {directory}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    )
    config = directory / "nginx.conf"
    config.write_text(
        f"""
user root;
daemon off;
# A worker would outlive a master that is killed.
master_process off;
pid {directory}/pid;
error_log stderr;
events {{ worker_connections 1024; }}
http {{
{temporary}
    access_log off;
    server {{
        listen 127.0.0.1:{port};
        root {directory}/www;
        location / {{
            dav_methods PUT DELETE;
            create_full_put_path on;
            client_max_body_size 64m;
        }}
    }}
}}
"""
    )
    process = run(shutil.which("nginx", path="/usr/sbin:/usr/bin"), "-e", "stderr", "-c", config)
    url = f"http://127.0.0.1:{port}"
    wait(url, process)
    return url, process


if __name__ == "__main__":
    url, process = {"moto": moto, "seaweedfs": seaweedfs, "nginx": nginx}[sys.argv[1]](pathlib.Path(sys.argv[2]))
    print("url", url, flush=True)
    sys.exit(process.wait())
