"""The certificate of `serve --lan`, as a phone that trusts the laptop checks it."""

import ssl
import stat
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path

import pytest
from cryptography import x509

from league import certificates
from league.certificates import Authority, CertificateProblem, RenewedContext

HALL = ("192.168.1.20", "tower.local", "localhost", "127.0.0.1")


def phone(authority: Authority) -> ssl.SSLContext:
    """A client that trusts nothing but this authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(cadata=ssl.DER_cert_to_PEM_cert(certificates.authority_file(authority.folder.parent)))
    return context


def certificate_seen(server: ssl.SSLContext, client: ssl.SSLContext, name: str) -> x509.Certificate:
    """Shake hands in memory. Raises SSLCertVerificationError."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    one = client.wrap_bio(to_client, to_server, server_hostname=name)
    other = server.wrap_bio(to_server, to_client, server_side=True)
    waiting = [one, other]
    while waiting:
        for end in list(waiting):
            try:
                end.do_handshake()
                waiting.remove(end)
            except ssl.SSLWantReadError:
                continue
    return x509.load_der_x509_certificate(one.getpeercert(binary_form=True))


def test_a_phone_that_trusts_the_laptop_takes_its_certificate_at_each_local_name(tmp_path):
    authority = Authority(tmp_path)
    server = RenewedContext(authority, lambda: HALL).first
    for name in HALL:
        seen = certificate_seen(server, phone(authority), name)
    assert seen.not_valid_after_utc - seen.not_valid_before_utc <= timedelta(days=825)  # the most that Apple takes
    with pytest.raises(ssl.SSLCertVerificationError):
        certificate_seen(server, phone(authority), "192.168.1.21")
    assert Authority(tmp_path).fingerprint == authority.fingerprint  # the next start is trusted too


def test_the_keys_are_for_their_owner_alone(tmp_path):
    authority = Authority(tmp_path)
    authority.certify(HALL)
    files = [*(tmp_path / "https").iterdir()]
    assert {(one.name, stat.S_IMODE(one.stat().st_mode)) for one in files} == {
        ("authority.pem", 0o600),
        ("site.pem", 0o600),
    }
    assert stat.S_IMODE((tmp_path / "https").stat().st_mode) == 0o700
    assert b"PRIVATE" not in certificates.authority_file(tmp_path)


@pytest.mark.parametrize("is_limited", [True, False])
def test_a_stolen_laptop_certifies_no_site_of_the_internet(tmp_path, monkeypatch, is_limited):
    """With constraints that permit these names it would: the control."""
    if not is_limited:
        every = x509.NameConstraints([x509.DNSName("example"), x509.IPAddress(ip_network("0.0.0.0/0"))], None)
        monkeypatch.setattr(x509, "NameConstraints", lambda *_: every)
    authority = Authority(tmp_path)
    for name in ("bank.example", "8.8.8.8"):
        server = RenewedContext(authority, lambda name=name: (name,)).first
        if is_limited:
            with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
                certificate_seen(server, phone(authority), name)
        else:
            certificate_seen(server, phone(authority), name)


def test_a_new_address_of_the_laptop_is_certified_with_the_next_visit(tmp_path):
    authority, found = Authority(tmp_path), [HALL]
    renewed = RenewedContext(authority, lambda: found[0])
    first = certificate_seen(renewed.first, phone(authority), "192.168.1.20")
    found[0] = ("10.0.0.7", *HALL[1:])
    second = certificate_seen(renewed.first, phone(authority), "10.0.0.7")
    assert certificate_seen(renewed.first, phone(authority), "tower.local") == second != first
    renewed.made -= timedelta(days=certificates.SITE_DAYS - 20)
    assert certificate_seen(renewed.first, phone(authority), "tower.local") != second  # its last month
    (authority.folder / "site.new").mkdir()  # nothing can be written: the site goes on with the old one
    found[0] = HALL
    certificate_seen(renewed.first, phone(authority), "10.0.0.7")
    (authority.folder / "site.new").rmdir()
    certificate_seen(renewed.first, phone(authority), "192.168.1.20")  # tried again


def test_local_names_leave_out_what_no_phone_would_take(monkeypatch):
    monkeypatch.setattr(certificates.lan, "addresses", lambda: ["8.8.8.8", "10.1.2.3"])
    monkeypatch.setattr(certificates.socket, "gethostname", lambda: "Tower.hall")
    assert certificates.local_names("0.0.0.0") == ("10.1.2.3", "tower.local", "localhost", "127.0.0.1")
    monkeypatch.setattr(certificates.socket, "gethostname", lambda: "tower_of domino")
    assert certificates.local_names("fd00::1") == ("fd00::1", "localhost", "127.0.0.1")


def test_broken_and_expired_authorities_are_told_with_their_remedy(tmp_path, monkeypatch):
    path = tmp_path / "https" / "authority.pem"
    Authority(tmp_path)
    with monkeypatch.context() as later:
        now = certificates._now()
        later.setattr(certificates, "_now", lambda: now + timedelta(days=certificates.AUTHORITY_DAYS + 1))
        with pytest.raises(CertificateProblem, match="has expired"):
            Authority(tmp_path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(CertificateProblem, match="Delete the folder"):
        Authority(tmp_path)
    assert certificates.authority_file(tmp_path) is None
    with pytest.raises(CertificateProblem, match="can't be kept"):
        Authority(Path("/dev/null"))
