// Runs the published Go client, whose major version is replaced in the imports, against a server, and prints what each resource did, as JSON.
//
// usage: clients <base url> <token>, with the certificate of an authority on standard input
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"

	"github.com/ngrok/ngrok-api-go/v5"
	"github.com/ngrok/ngrok-api-go/v5/api_keys"
	"github.com/ngrok/ngrok-api-go/v5/backends/failover"
	"github.com/ngrok/ngrok-api-go/v5/backends/http_response"
	"github.com/ngrok/ngrok-api-go/v5/backends/static_address"
	"github.com/ngrok/ngrok-api-go/v5/backends/tunnel_group"
	"github.com/ngrok/ngrok-api-go/v5/backends/weighted"
	"github.com/ngrok/ngrok-api-go/v5/certificate_authorities"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_mutual_tls"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_backend"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_circuit_breaker"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_compression"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_ip_restriction"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_oauth"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_oidc"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_request_headers"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_response_headers"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_saml"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_user_agent_filter"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_webhook_verification"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_websocket_tcp_converter"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_tls_termination"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/tcp_edge_backend"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/tcp_edge_ip_restriction"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/tls_edge_backend"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/tls_edge_ip_restriction"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/tls_edge_mutual_tls"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/tls_edge_tls_termination"
	"github.com/ngrok/ngrok-api-go/v5/edges/https"
	"github.com/ngrok/ngrok-api-go/v5/edges/https_routes"
	"github.com/ngrok/ngrok-api-go/v5/edges/tcp"
	"github.com/ngrok/ngrok-api-go/v5/edges/tls"
	"github.com/ngrok/ngrok-api-go/v5/endpoints"
	"github.com/ngrok/ngrok-api-go/v5/event_destinations"
	"github.com/ngrok/ngrok-api-go/v5/event_sources"
	"github.com/ngrok/ngrok-api-go/v5/event_subscriptions"
	"github.com/ngrok/ngrok-api-go/v5/ip_policies"
	"github.com/ngrok/ngrok-api-go/v5/ip_policy_rules"
	"github.com/ngrok/ngrok-api-go/v5/ip_restrictions"
	"github.com/ngrok/ngrok-api-go/v5/reserved_addrs"
	"github.com/ngrok/ngrok-api-go/v5/reserved_domains"
)

type members = map[string]any

var rows = map[string][]string{}

func note(name, step string, err error) {
	if err != nil {
		rows[name] = append(rows[name], step+" "+err.Error())
		return
	}
	rows[name] = append(rows[name], "ok")
}

// call calls a method of a client, with its argument made from what goes over the wire.
func call(client any, method string, arg any) (members, error) {
	found := reflect.ValueOf(client).MethodByName(method)
	in := found.Type().In(1)
	var given reflect.Value
	if in.Kind() == reflect.String {
		given = reflect.ValueOf(arg)
	} else {
		given = reflect.New(in.Elem())
		text, _ := json.Marshal(arg)
		if err := json.Unmarshal(text, given.Interface()); err != nil {
			return nil, err
		}
	}
	out := found.Call([]reflect.Value{reflect.ValueOf(context.Background()), given})
	if err, ok := out[len(out)-1].Interface().(error); ok && err != nil {
		return nil, err
	}
	answer := members{}
	if len(out) == 2 {
		text, _ := json.Marshal(out[0].Interface())
		_ = json.Unmarshal(text, &answer)
	}
	return answer, nil
}

// list returns the identifiers of all pages.
func list(client any) ([]string, error) {
	limit := "1"
	method := reflect.ValueOf(client).MethodByName("List")
	// The type of the parameters differs between versions.
	paging := reflect.New(method.Type().In(0).Elem())
	paging.Elem().FieldByName("Limit").Set(reflect.ValueOf(&limit))
	iter := method.Call([]reflect.Value{paging})[0]
	ids := []string{}
	for iter.MethodByName("Next").Call([]reflect.Value{reflect.ValueOf(context.Background())})[0].Bool() {
		ids = append(ids, reflect.Indirect(iter.MethodByName("Item").Call(nil)[0]).FieldByName("ID").String())
	}
	err, _ := iter.MethodByName("Err").Call(nil)[0].Interface().(error)
	return ids, err
}

func with(body members, more members) members {
	all := members{}
	for _, one := range []members{body, more} {
		for key, value := range one {
			all[key] = value
		}
	}
	return all
}

func wasGone(client any, arg any) error {
	_, err := call(client, "Get", arg)
	if err == nil || !ngrok.IsNotFound(err) {
		return fmt.Errorf("expected not found, found %v", err)
	}
	return nil
}

// life creates, reads, pages, updates and deletes a record; an update of the description must keep the fields of its body.
func life(name string, client any, body members) {
	made, err := call(client, "Create", with(body, members{"description": "first"}))
	note(name, "create", err)
	if err != nil {
		return
	}
	id := made["id"].(string)
	_, err = call(client, "Get", id)
	note(name, "get", err)
	ids, err := list(client)
	if err == nil && (len(ids) == 0 || ids[0] != id) {
		err = fmt.Errorf("not listed first")
	}
	note(name, "list", err)
	after, err := call(client, "Update", members{"id": id, "description": "second"})
	for key := range body {
		if err == nil && made[key] != nil && !reflect.DeepEqual(made[key], after[key]) {
			err = fmt.Errorf("%s was lost", key)
		}
	}
	note(name, "update", err)
	_, err = call(client, "Delete", id)
	note(name, "delete", err)
	note(name, "gone", wasGone(client, id))
}

func module(name string, client any, ids members, body members) {
	_, err := call(client, "Replace", with(ids, members{"module": body}))
	note(name, "replace", err)
	var place any = ids
	if ids["edge_id"] == nil {
		place = ids["id"]
	}
	_, err = call(client, "Get", place)
	note(name, "get", err)
	_, err = call(client, "Delete", place)
	note(name, "delete", err)
	note(name, "gone", wasGone(client, place))
}

func must(client any, body members) string {
	made, err := call(client, "Create", body)
	if err != nil {
		panic(err)
	}
	return made["id"].(string)
}

func main() {
	pem, _ := io.ReadAll(os.Stdin)
	config := ngrok.NewClientConfig(os.Args[2], ngrok.WithBaseURL(os.Args[1]))
	policy := must(ip_policies.NewClient(config), members{})
	child := must(static_address.NewClient(config), members{"address": "a.example:80", "tls": members{"enabled": true}})
	authority := must(certificate_authorities.NewClient(config), members{"ca_pem": string(pem)})
	life("ip_policies", ip_policies.NewClient(config), members{})
	life("ip_policy_rules", ip_policy_rules.NewClient(config), members{"cidr": "10.2.0.0/16", "ip_policy_id": policy, "action": "deny"})
	life("ip_restrictions", ip_restrictions.NewClient(config), members{"type": "agent", "ip_policy_ids": []string{policy}})
	life("certificate_authorities", certificate_authorities.NewClient(config), members{"ca_pem": string(pem)})
	life("api_keys", api_keys.NewClient(config), members{})
	life("reserved_addrs", reserved_addrs.NewClient(config), members{"region": "eu"})
	life("reserved_domains", reserved_domains.NewClient(config), members{"domain": "g1.example.com", "region": "eu"})
	// The client sends the whole `tls` object, with false where its caller gives nothing.
	life("static_backends", static_address.NewClient(config), members{"address": "b.example:80"})
	life("http_response_backends", http_response.NewClient(config), members{"body": "hi", "headers": members{"a": "b"}, "status_code": 203})
	life("tunnel_group_backends", tunnel_group.NewClient(config), members{"labels": members{"app": "shop"}})
	life("failover_backends", failover.NewClient(config), members{"backends": []string{child}})
	life("weighted_backends", weighted.NewClient(config), members{"backends": members{child: 1}})
	target := members{"datadog": members{"api_key": "k"}}
	life("event_destinations", event_destinations.NewClient(config), members{"format": "json", "target": target})
	destination := must(event_destinations.NewClient(config), members{"format": "json", "target": target})
	subscription := members{"sources": []members{{"type": "ip_policy_created.v0"}}, "destination_ids": []string{destination}}
	life("event_subscriptions", event_subscriptions.NewClient(config), subscription)
	eventSources(event_sources.NewClient(config), must(event_subscriptions.NewClient(config), subscription))
	life("https_edges", https.NewClient(config), members{"hostports": []string{"g1.example.com:443"}})
	life("tls_edges", tls.NewClient(config), members{"hostports": []string{"g2.example.com:443"}})
	life("tcp_edges", tcp.NewClient(config), members{"hostports": []string{"2.tcp.example.com:20002"}})
	edge := must(https.NewClient(config), members{})
	modules(config, edge, routes(https_routes.NewClient(config), edge), members{"backend_id": child}, members{"ip_policy_ids": []string{policy}}, members{"certificate_authority_ids": []string{authority}})
	_, err := list(endpoints.NewClient(config))
	note("endpoints", "list", err)
	_ = json.NewEncoder(os.Stdout).Encode(rows)
}

func eventSources(client *event_sources.Client, id string) {
	one := members{"subscription_id": id, "type": "ip_policy_deleted.v0"}
	for _, method := range []string{"Create", "Get", "Update"} {
		_, err := call(client, method, one)
		note("event_sources", method, err)
	}
	all, err := client.List(context.Background(), id)
	if err == nil && len(all.Sources) != 2 {
		err = fmt.Errorf("expected 2 sources, found %d", len(all.Sources))
	}
	note("event_sources", "list", err)
	_, err = call(client, "Delete", one)
	note("event_sources", "delete", err)
}

func routes(client any, edge string) string {
	name := "https_edge_routes"
	made, err := call(client, "Create", members{"edge_id": edge, "match_type": "path_prefix", "match": "/", "description": "first"})
	note(name, "create", err)
	place := members{"edge_id": edge, "id": made["id"]}
	_, err = call(client, "Get", place)
	note(name, "get", err)
	after, err := call(client, "Update", with(place, members{"match": "/a"}))
	if err == nil && (after["match"] != "/a" || after["match_type"] != "path_prefix" || after["description"] != "first") {
		err = fmt.Errorf("found %v", after)
	}
	note(name, "update", err)
	return made["id"].(string)
}

func modules(config *ngrok.ClientConfig, edge, route string, backend, restriction, authorities members) {
	on := members{"edge_id": edge, "id": route}
	headers := members{"add": members{"a": "b"}, "remove": []string{"c"}}
	breaker := members{"tripped_duration": 1, "rolling_window": 2, "num_buckets": 3, "volume_threshold": 4, "error_threshold_percentage": 0.5}
	module("route backend", https_edge_route_backend.NewClient(config), on, backend)
	module("route ip_restriction", https_edge_route_ip_restriction.NewClient(config), on, restriction)
	module("route request_headers", https_edge_route_request_headers.NewClient(config), on, headers)
	module("route response_headers", https_edge_route_response_headers.NewClient(config), on, headers)
	module("route compression", https_edge_route_compression.NewClient(config), on, members{})
	module("route circuit_breaker", https_edge_route_circuit_breaker.NewClient(config), on, breaker)
	module("route webhook_verification", https_edge_route_webhook_verification.NewClient(config), on, members{"provider": "github", "secret": "s"})
	module("route oauth", https_edge_route_oauth.NewClient(config), on, members{"provider": members{"google": members{"email_domains": []string{"example.com"}}}})
	module("route saml", https_edge_route_saml.NewClient(config), on, members{"idp_metadata": "<EntityDescriptor></EntityDescriptor>"})
	module("route oidc", https_edge_route_oidc.NewClient(config), on, members{"issuer": "https://idp.example.com", "client_id": "c", "client_secret": "s"})
	module("route websocket_tcp_converter", https_edge_route_websocket_tcp_converter.NewClient(config), on, members{})
	module("route user_agent_filter", https_edge_route_user_agent_filter.NewClient(config), on, members{"allow": []string{"a"}, "deny": []string{"b"}})
	onHttps := members{"id": edge}
	module("https edge mutual_tls", https_edge_mutual_tls.NewClient(config), onHttps, authorities)
	module("https edge tls_termination", https_edge_tls_termination.NewClient(config), onHttps, members{"min_version": "1.3"})
	onTls := members{"id": must(tls.NewClient(config), members{"tls_termination": members{"terminate_at": "edge"}})}
	module("tls edge backend", tls_edge_backend.NewClient(config), onTls, backend)
	module("tls edge ip_restriction", tls_edge_ip_restriction.NewClient(config), onTls, restriction)
	module("tls edge mutual_tls", tls_edge_mutual_tls.NewClient(config), onTls, authorities)
	module("tls edge tls_termination", tls_edge_tls_termination.NewClient(config), onTls, members{"terminate_at": "edge", "min_version": "1.2"})
	onTcp := members{"id": must(tcp.NewClient(config), members{})}
	module("tcp edge backend", tcp_edge_backend.NewClient(config), onTcp, backend)
	module("tcp edge ip_restriction", tcp_edge_ip_restriction.NewClient(config), onTcp, restriction)
	policies(config, on, onTls, onTcp)
}
