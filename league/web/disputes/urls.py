"""Addresses of the court: protest, case, desk, rulings, settings."""

from django.urls import path

from league.web.disputes import case, court_settings, desk, judge, photo, protest, rulings

dispute_urls = (
    [
        path("matches/<int:match_id>/games/<int:number>/protest/", protest.page, name="protest"),
        path("disputes/judge/<str:secret>/", judge.page, name="judge"),
        path("disputes/<str:code>/", case.page, name="case"),
        path("disputes/<str:code>/photos/<int:number>/", photo.show, name="photo"),
        path("organize/<slug:league_slug>/disputes/", desk.page, name="desk"),
        path("organize/<slug:league_slug>/court/", court_settings.settings, name="settings"),
    ],
    "disputes",
)
ruling_urls = (
    [
        path("", rulings.index, name="index"),
        path("<str:code>/", rulings.detail, name="detail"),
    ],
    "rulings",
)
