"""Addresses of this machine on its networks."""

import ipaddress
import socket
import time
from collections.abc import Iterator

# Nothing is sent there: a datagram socket only has to choose its own address towards them.
TOWARDS = ("192.0.2.1", "192.168.255.255", "10.255.255.255", "172.31.255.255")
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104
LOOK_AGAIN = 5.0  # seconds


def addresses() -> list[str]:
    """Return IPv4 addresses reachable by others, the one towards the internet first.

    Empty without a network.
    """
    found = [address for target in TOWARDS if (address := _address_towards(target))]
    return [one for one in dict.fromkeys(found) if not ipaddress.ip_address(one).is_loopback]


def _address_towards(target: str) -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((target, 9))
        except OSError:
            return ""
        return probe.getsockname()[0]


class OwnNames:
    """Names for ALLOWED_HOSTS: fixed ones, and present addresses of this machine.

    A laptop that joins the hall's network after the start can be reached without a restart, and an invented name is
    refused.
    """

    def __init__(self, always: list[str]) -> None:
        name = socket.gethostname().lower()
        self._always = [*always, name, f"{name.partition('.')[0]}.local"]
        self._found: list[str] = []
        self._looked = float("-inf")

    def __iter__(self) -> Iterator[str]:
        now = time.monotonic()
        if now - self._looked > LOOK_AGAIN:
            self._found, self._looked = addresses(), now
        yield from self._always
        yield from self._found


def site_address(host: str, port: int) -> str:
    """Return the site's address in the network; empty if nobody else can reach it."""
    if host in EVERY_ADDRESS:
        found = addresses()
        return f"http://{found[0]}:{port}/" if found else ""
    address = ipaddress.ip_address(host)
    if address.is_loopback:
        return ""
    return f"http://{in_url(host)}:{port}/"


def in_url(host: str) -> str:
    """Return a name or address as an URL has it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host
