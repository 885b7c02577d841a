"""Prints as JSON from which hosts pip fetches by its settings, and by which proxy: [{"host", "port", "proxy"}].

The settings are environment variables and pip's files. Where none names an index, pip knows it, and the host of its
files. Another index is expected to give its files from its own host.
"""

import json
import urllib.parse
import urllib.request

from pip._internal.configuration import Configuration
from pip._internal.models.index import PyPI

DEFAULT_PORTS = {"http": 80, "https": 443}


def read_settings():
    configuration = Configuration(isolated=False)
    configuration.load()
    # Of the same setting, the last one counts: pip sorts them that way.
    return {key.rpartition(".")[2]: value for key, value in configuration.items()}


def fetched_urls(settings):
    index = settings.get("index-url", PyPI.simple_url)
    if "no-index" not in settings:
        yield index
        yield from settings.get("extra-index-url", "").split()
        if urllib.parse.urlsplit(index).netloc == PyPI.netloc:
            yield f"https://{PyPI.file_storage_domain}"
    yield from settings.get("find-links", "").split()


def proxy_for(url, settings):
    if "proxy" in settings:
        return settings["proxy"]
    if urllib.request.proxy_bypass(url.netloc):
        return None
    return urllib.request.getproxies().get(url.scheme)


def main():
    settings = read_settings()
    hosts = []
    for text in fetched_urls(settings):
        url = urllib.parse.urlsplit(text)
        if url.scheme in DEFAULT_PORTS:
            port = url.port or DEFAULT_PORTS[url.scheme]
            hosts.append({"host": url.hostname, "port": port, "proxy": proxy_for(url, settings)})
    print(json.dumps(hosts))


main()
