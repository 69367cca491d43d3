"""Certificates of `serve --lan`: an authority of this laptop, and a certificate for its addresses of the moment.

Phones trust the authority once (/address/trust/). It can only certify addresses of local networks (RFC 5280 4.2.1.10,
name constraints), so a stolen laptop impersonates no site of the internet to them.
"""

import datetime as dt
import ipaddress
import logging
import os
import re
import socket
import ssl
from collections.abc import Callable
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from league import lan

logger = logging.getLogger(__name__)

FOLDER = "https"
"""In the data folder. A backup has rows only, so these keys are in none."""
NAME = "Domino League"
AUTHORITY = "authority.pem"
SITE = "site.pem"
AUTHORITY_DAYS = 3650
SITE_DAYS = 397  # Apple accepts 825 at most of an authority that its owner trusts, 398 of any other
RENEWED_DAYS = 30  # before the end
WRONG_CLOCK = dt.timedelta(days=1)  # a phone may be that much behind the laptop
LOCAL = "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 100.64.0.0/10 127.0.0.0/8 fc00::/7 fe80::/10 ::1/128"
NETWORKS = tuple(ipaddress.ip_network(one) for one in LOCAL.split())
AGAIN = "Delete the folder {folder}: the next start makes a new authority, which the phones have to trust again."
LABEL = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?")

Names = tuple[str, ...]


class CertificateProblem(Exception):
    """The certificates cannot be read or written; the text gives reason and remedy."""


def local_names(host: str) -> Names:
    """Return the names for a certificate of a site that listens at `host`: addresses, `laptop.local`, `localhost`.

    Addresses outside local networks are left out.
    """
    found = lan.addresses() if host in lan.EVERY_ADDRESS else [host]
    own = socket.gethostname().partition(".")[0].lower()
    names = [*filter(is_local, found), *([f"{own}.local"] if LABEL.fullmatch(own) else [])]
    return (*dict.fromkeys([*names, "localhost", "127.0.0.1"]),)


def is_local(address: str) -> bool:
    """Return whether an IP address is of a local network, so that the authority may certify it."""
    one = ipaddress.ip_address(address)
    return any(one in network for network in NETWORKS if network.version == one.version)


class Authority:
    """The authority of a data folder, made at the first use. Raises CertificateProblem."""

    def __init__(self, data: Path) -> None:
        self.folder = data / FOLDER
        path = self.folder / AUTHORITY
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not path.exists():
                write_private(path, _new_authority())
            text = path.read_bytes()
            self.key, self.certificate = load_pem_private_key(text, None), x509.load_pem_x509_certificate(text)
        except OSError as problem:
            raise CertificateProblem(f"The certificates in {self.folder} can't be kept: {problem}") from problem
        except (ValueError, TypeError) as problem:
            raise CertificateProblem(f"{path} can't be read. {AGAIN.format(folder=self.folder)}") from problem
        if self.certificate.not_valid_after_utc <= _now():
            raise CertificateProblem(f"The authority in {path} has expired. {AGAIN.format(folder=self.folder)}")

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.certificate.public_bytes(Encoding.DER))

    def certify(self, names: Names) -> Path:
        """Write a certificate for these names, with its key, and return the file. Raises CertificateProblem."""
        key, now = ec.generate_private_key(ec.SECP256R1()), _now()
        ends = min(now + dt.timedelta(days=SITE_DAYS), self.certificate.not_valid_after_utc)
        made = (
            _builder(NAME, key, self.certificate.subject, now - WRONG_CLOCK, ends)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(digital_signature=True), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.SubjectAlternativeName([*map(_general_name, names)]), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self.certificate.public_key()),  # type: ignore[arg-type]
                critical=False,
            )
            .sign(self.key, hashes.SHA256())  # type: ignore[arg-type]
        )
        path = self.folder / SITE
        try:
            write_private(path, _pem(key, made))
        except OSError as problem:
            raise CertificateProblem(f"The certificates in {self.folder} can't be kept: {problem}") from problem
        return path


class RenewedContext:
    """TLS of a server whose addresses change: each handshake looks whether the certificate still fits.

    `names`: the names of the moment. Raises CertificateProblem.
    """

    def __init__(self, authority: Authority, names: Callable[[], Names]) -> None:
        self.authority, self.names = authority, names
        self.context = self._renewed()
        self.first = self.context
        self.first.sni_callback = self._fit

    def _renewed(self) -> ssl.SSLContext:
        names, context = self.names(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.authority.certify(names))
        self.certified, self.made = names, _now()
        return context

    def _fit(self, connection: ssl.SSLSocket | ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
        old = _now() > self.made + dt.timedelta(days=SITE_DAYS - RENEWED_DAYS)
        if old or self.names() != self.certified:
            try:
                self.context = self._renewed()
            except CertificateProblem:  # a full disk; the certificate before it serves the other addresses
                logger.exception("No new certificate for %s", ", ".join(self.names()))
        if self.context is not self.first:
            connection.context = self.context


def authority_file(data: Path) -> bytes | None:
    """Return the certificate of a folder's authority as phones take it (DER), None without one."""
    try:
        return x509.load_pem_x509_certificate((data / FOLDER / AUTHORITY).read_bytes()).public_bytes(Encoding.DER)
    except (OSError, ValueError):
        return None


def fingerprint(certificate: bytes) -> str:
    """Return the SHA-256 of a certificate (DER), as phones show it: `3F A9 …`, 32 bytes."""
    return x509.load_der_x509_certificate(certificate).fingerprint(hashes.SHA256()).hex(" ").upper()


def write_private(path: Path, content: bytes) -> None:
    """Write a file that only its owner reads, whole or not at all."""
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    draft.replace(path)


def _new_authority() -> bytes:
    key, now = ec.generate_private_key(ec.SECP256R1()), _now()
    name = f"{NAME}, {socket.gethostname()}"[:64]
    public = key.public_key()
    permitted: list[x509.GeneralName] = [*map(x509.IPAddress, NETWORKS), *map(x509.DNSName, ("local", "localhost"))]
    made = (
        _builder(name, key, _name(name), now - WRONG_CLOCK, now + dt.timedelta(days=AUTHORITY_DAYS))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(key_cert_sign=True, crl_sign=True), critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
        .sign(key, hashes.SHA256())
    )
    return _pem(key, made)


def _builder(
    subject: str, key: ec.EllipticCurvePrivateKey, issuer: x509.Name, begins: dt.datetime, ends: dt.datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
    )


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _usage(**uses: bool) -> x509.KeyUsage:
    every = (
        "digital_signature content_commitment key_encipherment data_encipherment key_agreement key_cert_sign crl_sign "
        "encipher_only decipher_only"
    )
    return x509.KeyUsage(**{name: uses.get(name, False) for name in every.split()})


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _pem(key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> bytes:
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return secret + certificate.public_bytes(Encoding.PEM)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
