"""Runs the published Python client against a server, and prints what each resource did, as JSON.

usage: python_client.py <base url> <token>; the version of the client is the one on the path.
"""
import json
import sys

import ngrok
from ngrok.datatypes import (
    EndpointBackendMutate, EndpointCircuitBreaker, EndpointCompression, EndpointIPPolicyMutate,
    EndpointMutualTLSMutate, EndpointOAuth, EndpointOAuthGoogle, EndpointOAuthProvider, EndpointOIDC,
    EndpointRequestHeaders, EndpointResponseHeaders, EndpointSAMLMutate, EndpointTLSTermination,
    EndpointTLSTerminationAtEdge, EndpointUserAgentFilter, EndpointWebhookValidation,
    EndpointTrafficPolicy, EndpointWebsocketTCPConverter, EventSourceReplace, EventTarget, EventTargetDatadog, StaticBackendTLS,
)

base_url, token, ca_pem = sys.argv[1], sys.argv[2], sys.stdin.read()
client = ngrok.Client(token, base_url)
rows = {}


def with_props(make, **props):
    """The classes are made for answers: they take a client and everything that they may hold."""
    made = object.__new__(make)
    made._client, made._props = client, props
    return made


def step(name, work, note=""):
    try:
        result = work()
        rows.setdefault(name, []).append("ok")
        return result
    except Exception as error:  # pylint: disable=broad-except
        rows.setdefault(name, []).append(f"{note}{type(error).__name__}: {error}")
        return None


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def life(name, api, body, kept, changed=None):
    """Creates, reads, pages, updates and deletes a record; an update of the description must keep `kept`."""
    made = step(name, lambda: api.create(description="first", **body), "create ")
    if made is None:
        return
    step(name, lambda: expect(api.get(made.id)._props["id"] == made.id, "another record"), "get ")
    step(name, lambda: expect(made.id in [one.id for one in api.list(limit="1")], "not listed"), "list ")

    def update():
        after = api.update(id=made.id, description="second")
        expect(after.description == "second", after.description)
        for field in kept:
            expect(str(getattr(after, field)) == str(getattr(made, field)) or plain(getattr(after, field)) == plain(getattr(made, field)), f"{field} was lost")

    step(name, update, "update ")
    if changed:
        step(name, lambda: api.update(id=made.id, **changed), "change ")
    step(name, lambda: api.delete(made.id), "delete ")
    step(name, lambda: gone(lambda: api.get(made.id)), "gone ")


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    props = getattr(value, "_props", None)
    return {key: plain(one) for key, one in props.items()} if props is not None else value


def gone(work):
    try:
        work()
    except ngrok.NotFoundError:
        return
    raise AssertionError("still there")


def module(name, api, ids, body):
    step(name, lambda: api.replace(**ids, **body), "replace ")
    step(name, lambda: expect(api.get(**ids) is not None, "nothing"), "get ")
    step(name, lambda: api.delete(**ids), "delete ")
    step(name, lambda: gone(lambda: api.get(**ids)), "gone ")


policy = client.ip_policies.create().id
child = client.backends.static_address.create(address="a.example:80", tls=with_props(StaticBackendTLS, enabled=True)).id
authority = client.certificate_authorities.create(ca_pem=ca_pem).id

life("ip_policies", client.ip_policies, {}, [])
life("ip_policy_rules", client.ip_policy_rules, {"cidr": "10.1.0.0/16", "ip_policy_id": policy, "action": "deny"}, ["cidr", "action"])
life("ip_restrictions", client.ip_restrictions, {"type": "agent", "ip_policy_ids": [policy]}, ["type", "ip_policies"], {"enforced": False})
life("certificate_authorities", client.certificate_authorities, {"ca_pem": ca_pem}, ["ca_pem"])
life("api_keys", client.api_keys, {}, [])
life("reserved_addrs", client.reserved_addrs, {"region": "eu"}, ["region", "addr"])
life("reserved_domains", client.reserved_domains, {"domain": "d1.example.com", "region": "eu"}, ["domain"])
life("static_backends", client.backends.static_address, {"address": "b.example:80", "tls": with_props(StaticBackendTLS, enabled=True)}, ["address", "tls"])
life("http_response_backends", client.backends.http_response, {"body": "hi", "headers": {"a": "b"}, "status_code": 203}, ["body", "headers", "status_code"])
# These clients send an empty list or map for what is not given.
life("tunnel_group_backends", client.backends.tunnel_group, {"labels": {"app": "shop"}}, ["labels"], {"labels": {"app": "b"}})
life("failover_backends", client.backends.failover, {"backends": [child]}, ["backends"], {"backends": [child]})
life("weighted_backends", client.backends.weighted, {"backends": {child: 1}}, ["backends"], {"backends": {child: 2}})
target = with_props(EventTarget, datadog=with_props(EventTargetDatadog, api_key="k", ddtags="", service="", ddsite="")._props)
life("event_destinations", client.event_destinations, {"format": "json", "target": target}, ["format"])
destination = client.event_destinations.create(format="json", target=target).id


def event_sources():
    name = "event_sources"
    made = step("event_subscriptions", lambda: client.event_subscriptions.create(sources=[with_props(EventSourceReplace, type="ip_policy_created.v0")], destination_ids=[destination]), "create ")
    if made is None:
        return
    step("event_subscriptions", lambda: expect(client.event_subscriptions.get(made.id).id == made.id, "another"), "get ")
    step("event_subscriptions", lambda: expect(made.id in [one.id for one in client.event_subscriptions.list()], "not listed"), "list ")

    def update():
        after = client.event_subscriptions.update(made.id, description="second")
        expect(len(after.sources) == 1 and len(after.destinations) == 1, "lost its sources or destinations")

    step("event_subscriptions", update, "update ")
    ids = {"subscription_id": made.id, "type": "ip_policy_deleted.v0"}
    step(name, lambda: client.event_sources.create(**ids), "create ")
    step(name, lambda: expect(client.event_sources.get(**ids).type == ids["type"], "another type"), "get ")
    step(name, lambda: expect(client.event_sources.update(**ids).type == ids["type"], "another type"), "update ")
    step(name, lambda: expect(len(client.event_sources.list(made.id).sources) == 2, "not listed"), "list ")
    step(name, lambda: client.event_sources.delete(**ids), "delete ")
    step("event_subscriptions", lambda: client.event_subscriptions.delete(made.id), "delete ")


event_sources()
life("https_edges", client.edges.https, {"hostports": ["p1.example.com:443"]}, ["hostports"])
life("tls_edges", client.edges.tls, {"hostports": ["p2.example.com:443"], "tls_termination": with_props(EndpointTLSTermination, terminate_at="edge", min_version="1.3")}, ["hostports", "tls_termination"])
life("tcp_edges", client.edges.tcp, {"hostports": ["1.tcp.example.com:20001"]}, ["hostports"])
POLICY = '{"inbound":[{"name":"n","expressions":[],"actions":[{"type":"deny"}]}]}'


def traffic_policy(name, api, create, ids):
    """Sets a policy in a record when it is created and updated, and reads it back in all ways."""
    made = step(name, lambda: api.create(traffic_policy=with_props(EndpointTrafficPolicy, enabled=True, value=POLICY), **create), "create ")
    if made is None:
        return
    ids = {**ids, "id": made.id}
    step(name, lambda: expect(made.traffic_policy.value == POLICY, "another policy"), "answer ")
    step(name, lambda: expect(api.get(**ids).traffic_policy.value == POLICY, "another policy"), "get ")
    changed = POLICY.replace('"n"', '"m"')
    step(name, lambda: expect(api.update(traffic_policy=with_props(EndpointTrafficPolicy, enabled=False, value=changed), **ids).traffic_policy.value == changed, "not changed"), "update ")
    step(name, lambda: expect(api.update(description="other", **ids).traffic_policy.enabled is False, "was lost"), "keep ")
    if hasattr(api, "list"):
        step(name, lambda: expect([one.traffic_policy.value for one in api.list() if one.id == made.id] == [changed], "not listed"), "list ")
    step(name, lambda: api.delete(**ids), "delete ")


traffic_policy("traffic_policy of tls_edges", client.edges.tls, {}, {})
traffic_policy("traffic_policy of tcp_edges", client.edges.tcp, {}, {})

edge = client.edges.https.create().id


def routes():
    name = "https_edge_routes"
    api = client.edges.https_routes
    made = step(name, lambda: api.create(edge, "path_prefix", "/", description="first", metadata="m", compression=with_props(EndpointCompression, enabled=True)), "create ")
    if made is None:
        return None
    step(name, lambda: expect(api.get(edge, made.id).match == "/", "another match"), "get ")

    def update(**given):
        after = api.update(edge, made.id, **given)
        wanted = {"match": "/", "match_type": "path_prefix", "description": "first", "metadata": "m", **given}
        for field, value in wanted.items():
            expect(getattr(after, field) == value, f"{field} is {getattr(after, field)!r}")
        expect(after.compression is not None, "lost its module")

    step(name, update, "update nothing ")
    step(name, lambda: update(description="second"), "update ")
    step(name, lambda: update(description="second", match="/a"), "update ")
    return made.id


route = routes()
traffic_policy("traffic_policy of https_edge_routes", client.edges.https_routes, {"edge_id": edge, "match_type": "exact_path", "match": "/p"}, {"edge_id": edge})
modules = client.edge_modules
on_route = {"edge_id": edge, "id": route}
google = with_props(EndpointOAuthGoogle, email_domains=["example.com"])
for name, body in {
    "backend": {"backend_id": child},
    "ip_restriction": {"ip_policy_ids": [policy]},
    "request_headers": {"add": {"a": "b"}, "remove": ["c"]},
    "response_headers": {"add": {"a": "b"}, "remove": ["c"]},
    "compression": {},
    "circuit_breaker": {"tripped_duration": 1, "rolling_window": 2, "num_buckets": 3, "volume_threshold": 4, "error_threshold_percentage": 0.5},
    "webhook_verification": {"provider": "github", "secret": "s"},
    "oauth": {"provider": with_props(EndpointOAuthProvider, google=google._props)},
    "saml": {"idp_metadata": "<EntityDescriptor></EntityDescriptor>"},
    "oidc": {"issuer": "https://idp.example.com", "client_id": "c", "client_secret": "s"},
    "websocket_tcp_converter": {},
    "user_agent_filter": {"allow": ["a"], "deny": ["b"]},
}.items():
    api = getattr(modules, f"https_edge_route_{name}")
    makes = {
        "backend": EndpointBackendMutate, "ip_restriction": EndpointIPPolicyMutate, "request_headers": EndpointRequestHeaders,
        "response_headers": EndpointResponseHeaders, "compression": EndpointCompression, "circuit_breaker": EndpointCircuitBreaker,
        "webhook_verification": EndpointWebhookValidation, "oauth": EndpointOAuth, "saml": EndpointSAMLMutate, "oidc": EndpointOIDC,
        "websocket_tcp_converter": EndpointWebsocketTCPConverter, "user_agent_filter": EndpointUserAgentFilter,
    }
    plain_body = {key: plain(value) for key, value in body.items()}
    module(f"route {name}", api, on_route, {"module": with_props(makes[name], **plain_body)})
for kind, apis in {
    "https": {"mutual_tls": {"certificate_authority_ids": [authority]}, "tls_termination": {"min_version": "1.3"}},
    "tls": {"backend": {"backend_id": child}, "ip_restriction": {"ip_policy_ids": [policy]}, "tls_termination": {"terminate_at": "edge", "min_version": "1.2"}, "mutual_tls": {"certificate_authority_ids": [authority]}},
    "tcp": {"backend": {"backend_id": child}, "ip_restriction": {"ip_policy_ids": [policy]}},
}.items():
    terminated = {"tls_termination": with_props(EndpointTLSTermination, terminate_at="edge")} if kind == "tls" else {}
    owner = getattr(client.edges, kind).create(**terminated).id
    for name, body in apis.items():
        api = getattr(modules, f"{kind}_edge_{name}")
        makes = {"mutual_tls": EndpointMutualTLSMutate, "tls_termination": EndpointTLSTerminationAtEdge if kind == "https" else EndpointTLSTermination, "backend": EndpointBackendMutate, "ip_restriction": EndpointIPPolicyMutate}
        module(f"{kind} edge {name}", api, {"id": owner}, {"module": with_props(makes[name], **body)})
tls, tcp = client.edges.tls.create().id, client.edges.tcp.create().id
# The client has these modules, but does not offer them.
for name, ids in {"EdgeRoute": on_route, "TLSEdge": {"id": tls}, "TCPEdge": {"id": tcp}}.items():
    body = {"module": with_props(EndpointTrafficPolicy, enabled=True, value=POLICY)}
    module(f"{name} traffic_policy", getattr(ngrok.services, f"{name}TrafficPolicyModuleClient")(client), ids, body)
step("endpoints", lambda: list(client.endpoints.list()), "list ")
print(json.dumps(rows))
