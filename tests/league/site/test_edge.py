"""What holds for every address of the site."""

import gzip

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from league.csp import CSP, ContentSecurityPolicyMiddleware, build_policy, csp


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/?q=%00", "/players/%00/", "/admin/%00", "/healthz?a=b%00c"])
def test_nul_in_an_address_is_a_400_and_never_reaches_the_database(client, address):
    assert client.get(address).status_code == 400


def test_nul_in_a_query_is_a_400(client, db):
    assert client.get("/?q=%00").status_code == 400


def test_nul_in_a_cookie_is_a_400(client, db):
    client.cookies["sessionid"] = "\x00aaaaaaaaaaaaaa"
    assert client.get("/").status_code == 400


def is_strict(headers):
    assert headers["Content-Security-Policy"].startswith("default-src 'self'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    return True


@pytest.mark.parametrize("address", ["/", "/healthz", "/nowhere-at-all", "/players", "/i18n/setlang/", "/?q=%00"])
def test_every_answer_carries_the_headers_of_a_strict_site(client, db, address):
    assert is_strict(client.get(address).headers)


def test_an_answer_to_a_strange_host_carries_them_too(client):
    answer = client.get("/healthz", headers={"host": "elsewhere.example"})
    assert answer.status_code == 400
    assert is_strict(answer.headers)


@pytest.mark.django_db(transaction=True)
def test_a_static_file_carries_them_too(client):
    answer = client.get("/static/web/base/icon.svg")
    answer.close()
    assert answer.status_code == 200
    assert is_strict(answer.headers)


@pytest.mark.django_db(transaction=True)
def test_style_sheets_and_scripts_are_sent_compressed_and_looked_up_by_the_same_tag(client):
    for name in ("base/site.css", "base/tokens.css", "pad/pad.js", "base/icon.svg"):
        address, takes = f"/static/web/{name}", {"accept-encoding": "br, gzip"}
        plain, sent, again = client.get(address), client.get(address, headers=takes), client.get(address, headers=takes)
        whole = b"".join(plain.streaming_content)
        plain.close()
        assert not plain.has_header("Content-Encoding")
        assert sent["Content-Encoding"] == "gzip"
        assert (gzip.decompress(sent.content), again.content) == (whole, sent.content)
        assert int(sent["Content-Length"]) == len(sent.content) < 0.6 * len(whole)
        assert {plain["Vary"], sent["Vary"]} == {"Accept-Encoding"}
        assert (sent["ETag"], sent["Content-Type"]) == (plain["ETag"], plain["Content-Type"])
        known = client.get(address, headers=takes | {"if-none-match": sent["ETag"]})
        known.close()
        assert known.status_code == 304


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("takes", ["", "br", "gzip;q=0", "gzip; q=0.0, br"])
def test_a_browser_that_takes_no_gzip_gets_none(client, takes):
    answer = client.get("/static/web/base/site.css", headers={"accept-encoding": takes})
    answer.close()
    assert not answer.has_header("Content-Encoding")


def test_a_page_that_depends_on_the_asker_is_kept_by_no_cache_on_the_way(client, django_user_model):
    client.force_login(django_user_model.objects.create_user("alice"))
    assert client.get("/").headers["Cache-Control"] == "private, no-cache"


def test_a_nonce_is_in_the_policy_only_where_a_template_used_it():
    def answer(use):
        def view(request):
            return HttpResponse(str(csp(request)["csp_nonce"]) if use else "")

        response = ContentSecurityPolicyMiddleware(view)(RequestFactory().get("/"))
        return response.content.decode(), response["Content-Security-Policy"]

    nonce, policy = answer(use=True)
    assert f"script-src 'self' 'nonce-{nonce}'" in policy
    assert "nonce" not in answer(use=False)[1]
    assert answer(use=True)[0] != nonce


def test_a_policy_is_written_as_browsers_read_it():
    policy = {"default-src": [CSP.SELF], "img-src": [CSP.SELF, "data:"], "script-src": [CSP.SELF, CSP.NONCE]}
    assert build_policy(policy, "abc") == "default-src 'self'; img-src 'self' data:; script-src 'self' 'nonce-abc'"
