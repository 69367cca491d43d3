"""What holds for every address of the site."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from league.csp import CSP, ContentSecurityPolicyMiddleware, build_policy, csp


def test_the_health_check_asks_the_database_and_nothing_else(client, db, django_assert_num_queries):
    with django_assert_num_queries(1):
        response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/?q=%00", "/players/%00/", "/admin/%00", "/healthz?a=b%00c"])
def test_nul_in_an_address_is_a_400_and_never_reaches_the_database(client, address):
    assert client.get(address).status_code in {400, 404}


def test_nul_in_a_query_is_a_400(client, db):
    assert client.get("/?q=%00").status_code == 400


def test_every_answer_carries_the_headers_of_a_strict_site(client, db):
    for address in ("/", "/healthz", "/nowhere-at-all"):
        headers = client.get(address).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'self'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"


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
