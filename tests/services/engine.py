"""A Docker Engine from Debian's packages, and stand-ins of base images: no registry is asked.

The engine has a network, mounts and a folder of its own, so nothing of it is left at its end. It
needs root on Debian 12 or later; packages come from where this machine's apt gets its own.
"""

import ctypes
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

TRIXIE: Final = ("containerd", "docker-buildx", "docker-cli", "docker-compose", "docker.io", "tini")
OWN: Final = (
    "iptables", "libip4tc2", "libip6tc2", "libmnl0", "libnetfilter-conntrack3", "libnfnetlink0",
    "libnftnl11", "libslirp0", "libxtables12", "mmdebstrap", "runc", "slirp4netns",
)  # fmt: skip
"""Packages of this machine's own release: those of a newer one need its C library."""
NEW_MOUNTS_AND_NETWORK: Final = 0x00020000 | 0x40000000
END_SECONDS: Final = 300
"""The engine ends its containers first; on a busy machine that took more than a minute."""
LIBRARIES: Final = "usr/lib/x86_64-linux-gnu"
POSTGRES_PATH: Final = "/usr/lib/postgresql/17/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@contextmanager
def docker_engine() -> Iterator[None]:
    """Start the engine for the block; ``docker`` on the PATH reaches it, also from this process.

    Raises SystemExit where it cannot be had here.
    """
    if os.geteuid() != 0 or not Path("/etc/debian_version").is_file():
        raise SystemExit(
            "error: without DOCKER_HOST this makes a Docker Engine from Debian's packages: it needs"
            " root on Debian; name an engine with DOCKER_HOST elsewhere"
        )
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mqcap-services-")))
        site = _packages(folder)
        _own_network(stack, folder / "root")
        _commands(folder)
        _start(stack, folder)
        _stand_ins(folder, site)
        yield


def _packages(folder: Path) -> str:
    form = "--format=$(SITE) $(CODENAME)"
    answer = _output("apt-get", "indextargets", form, "Created-By: Packages", "Component: main")
    site, release = next(
        line.split() for line in answer.splitlines() if not line.endswith(("-updates", "-security"))
    )
    for name in ("lists/partial", "cache/archives/partial", "debs", "root"):
        (folder / name).mkdir(parents=True)
    sources = {release, "trixie"}
    (folder / "sources.list").write_text(
        "".join(f"deb {site} {name} main\n" for name in sorted(sources)), encoding="utf-8"
    )
    places = {
        "Dir::Etc::sourcelist": folder / "sources.list", "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::lists": folder / "lists", "Dir::Cache": folder / "cache",
        "APT::Sandbox::User": "root",
    }  # fmt: skip
    apt = ["apt-get", "--quiet=2", *(f"-o{key}={value}" for key, value in places.items())]
    wanted = [f"{name}/trixie" for name in TRIXIE] + [f"{name}/{release}" for name in OWN]
    for command in (["update", "-oAPT::Update::Error-Mode=any"], ["download", *wanted]):
        if subprocess.run([*apt, *command], cwd=folder / "debs", check=False).returncode:
            raise SystemExit(f"error: Debian's packages cannot be had from {site} (above)")
    for package in sorted((folder / "debs").iterdir()):
        subprocess.run(["dpkg-deb", "--extract", package, folder / "root"], check=True)
    return site


def _own_network(stack: ExitStack, root: Path) -> None:
    """Move this process into a network and mounts that end with it; it still reaches outwards."""
    outwards = subprocess.Popen(
        ["sh", "-c", 'read go; exec "$@"', "sh", root / "usr/bin/slirp4netns", "--configure",
         "--mtu=65520", str(os.getpid()), "tap0"],
        env={**os.environ, "LD_LIBRARY_PATH": str(root / LIBRARIES)},
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    stack.callback(_end, outwards)
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_MOUNTS_AND_NETWORK) != 0:
        raise SystemExit(f"error: no network of its own: {os.strerror(ctypes.get_errno())}")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    assert outwards.stdin is not None
    outwards.stdin.write("go\n")
    outwards.stdin.flush()
    _wait(lambda: "default" in _output("ip", "route"), "a way out of the network", 30)


def _commands(folder: Path) -> None:
    root, commands = folder / "root", folder / "bin"
    plugins = folder / "client" / "cli-plugins"
    for place in (commands, plugins, folder / "run"):
        place.mkdir(parents=True)
    for program in ("usr/sbin/dockerd", "usr/sbin/docker-proxy", "usr/sbin/runc", "usr/bin/docker",
                    "usr/bin/containerd", "usr/bin/containerd-shim-runc-v2", "usr/bin/mmdebstrap",
                    "usr/bin/mmtarfilter"):  # fmt: skip
        (commands / Path(program).name).symlink_to(root / program)
    for plugin in (root / "usr/libexec/docker/cli-plugins").iterdir():
        (plugins / plugin.name).symlink_to(plugin)
    for name in ("iptables", "ip6tables"):
        (commands / name).write_text(
            f"#!/bin/sh\nexport LD_LIBRARY_PATH={root}/{LIBRARIES}\n"
            f"export XTABLES_LIBDIR={root}/{LIBRARIES}/xtables\n"
            f'exec {root}/usr/sbin/xtables-nft-multi {name} "$@"\n',
            encoding="utf-8",
        )
        (commands / name).chmod(0o755)
    os.environ["PATH"] = f"{commands}{os.pathsep}{os.environ['PATH']}"
    os.environ["DOCKER_CONFIG"] = str(folder / "client")
    os.environ["DOCKER_HOST"] = f"unix://{folder}/run/docker.sock"


def _start(stack: ExitStack, folder: Path) -> None:
    configuration = folder / "daemon.json"
    content = {"init-path": f"{folder}/root/usr/bin/tini-static", "storage-driver": "overlay2"}
    configuration.write_text(json.dumps(content), encoding="utf-8")
    log = stack.enter_context((folder / "dockerd.log").open("wb"))
    run = folder / "run"
    engine = subprocess.Popen(
        ["dockerd", f"--host={os.environ['DOCKER_HOST']}", f"--data-root={folder}/data",
         f"--exec-root={run}/exec", f"--pidfile={run}/pid", "--cgroup-parent=mqcap-services",
         "--exec-opt=native.cgroupdriver=cgroupfs", f"--config-file={configuration}"],
        stdout=log, stderr=log,
    )  # fmt: skip
    stack.callback(_leave_no_groups)
    stack.callback(_end, engine)
    try:
        _wait(lambda: _answers(engine), "the Docker Engine", 60)
    except SystemExit as error:
        last = (folder / "dockerd.log").read_text(encoding="utf-8")[-2000:]
        raise SystemExit(f"{error}\n{last}") from None


def _answers(engine: subprocess.Popen[bytes]) -> bool:
    if engine.poll() is not None:
        raise SystemExit("error: the Docker Engine ended")
    return subprocess.run(["docker", "version"], capture_output=True, check=False).returncode == 0


def _leave_no_groups() -> None:
    groups = Path("/sys/fs/cgroup").glob("**/mqcap-services")
    for group in [*groups]:
        for inner in sorted(group.glob("**/"), reverse=True):
            inner.rmdir()


def _stand_ins(folder: Path, site: str) -> None:
    """Import images with the names and contents that docker/ counts on, of Debian's packages."""
    python = (
        "chroot $1 python3.11 -m venv /usr/local && ln -sf python3.11 $1/usr/local/bin/python"
        " && chroot $1 dpkg --purge --force-depends perl perl-modules-5.36 libperl5.36"
    )  # the official image has none
    postgres = f"cp {Path(__file__).with_name('postgres.sh')} $1/entrypoint.sh"
    of_python = (
        "python:3.11-slim-bookworm", "bookworm",
        "ca-certificates,netbase,passwd,python3.11-venv,tzdata", python,
        "ENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    )  # fmt: skip
    of_postgres = (
        "postgres:17-bookworm", "trixie", "postgresql-17", postgres,
        f"ENV PATH={POSTGRES_PATH} PGDATA=/var/lib/postgresql/data",
        "ENTRYPOINT [\"/entrypoint.sh\"]", "STOPSIGNAL SIGINT",
    )  # fmt: skip
    with ThreadPoolExecutor() as pool:
        made = [pool.submit(_import, folder, site, *image) for image in (of_python, of_postgres)]
        for one in made:
            one.result()


def _import(
    folder: Path, site: str, name: str, release: str, packages: str, then: str, *lines: str
) -> None:
    archive = folder / f"{release}.tar"
    left_out = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "man", "locale")]
    subprocess.run(
        ["mmdebstrap", "--quiet", "--mode=root", "--variant=apt",
         '--aptopt=Apt::Install-Recommends "false"',
         "--dpkgopt=force-unsafe-io",  # as the image that it becomes is thrown away
         f"--include={packages}", f"--customize-hook={then}", *left_out,
         release, archive, f"deb {site} {release} main"],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    changes = [f"--change={line}" for line in lines]
    subprocess.run(["docker", "import", *changes, archive, name], check=True, capture_output=True)
    archive.unlink()


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _wait(there: Callable[[], bool], what: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not there():
        if time.monotonic() > end:
            raise SystemExit(f"error: {what} was not there within {seconds:g} s")
        time.sleep(0.2)


def _end(process: subprocess.Popen[Any]) -> None:
    process.terminate()
    process.wait(END_SECONDS)
