"""Addresses of the notices, below the address of their league."""

from django.urls import path

from league.web.leagues import notices

notice_urls = (
    [
        path("", notices.index, name="index"),
        path("new/", notices.new, name="new"),
        path("<int:notice_id>/", notices.detail, name="detail"),
        path("<int:notice_id>/amend/", notices.amend, name="amend"),
        path("<int:notice_id>/withdraw/", notices.withdraw, name="withdraw"),
    ],
    "notices",
)
