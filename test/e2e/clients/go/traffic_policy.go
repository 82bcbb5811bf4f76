//go:build traffic_policy

package main

import (
	"fmt"
	"reflect"

	"github.com/ngrok/ngrok-api-go/v5"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_traffic_policy"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/tcp_edge_traffic_policy"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/tls_edge_traffic_policy"
	"github.com/ngrok/ngrok-api-go/v5/edges/https"
	"github.com/ngrok/ngrok-api-go/v5/edges/https_routes"
	"github.com/ngrok/ngrok-api-go/v5/edges/tcp"
	"github.com/ngrok/ngrok-api-go/v5/edges/tls"
)

func textOf(name string) string {
	return `{"inbound":[{"name":"` + name + `","expressions":[],"actions":[{"type":"deny"}]}]}`
}

// policies sets policies as strings, as the client does from version 6 on: as modules, and in records.
func policies(config *ngrok.ClientConfig, onRoute, onTls, onTcp members) {
	policy := members{"enabled": true, "value": textOf("n")}
	module("route traffic_policy", https_edge_route_traffic_policy.NewClient(config), onRoute, policy)
	module("tls edge traffic_policy", tls_edge_traffic_policy.NewClient(config), onTls, policy)
	module("tcp edge traffic_policy", tcp_edge_traffic_policy.NewClient(config), onTcp, policy)
	inRecord("traffic_policy of tls_edges", tls.NewClient(config), members{})
	inRecord("traffic_policy of tcp_edges", tcp.NewClient(config), members{})
	edge := members{"edge_id": must(https.NewClient(config), members{})}
	inRecord("traffic_policy of https_edge_routes", https_routes.NewClient(config), with(edge, members{"match_type": "exact_path", "match": "/p"}))
}

// inRecord sets a policy in a record when it is created and updated, and reads it back in all ways.
func inRecord(name string, client any, body members) {
	policy := members{"enabled": true, "value": textOf("n")}
	made, err := call(client, "Create", with(body, members{"traffic_policy": policy}))
	note(name, "create", same(err, made, policy))
	if err != nil {
		return
	}
	ids := members{"id": made["id"]}
	var place any = made["id"]
	if body["edge_id"] != nil {
		ids["edge_id"] = body["edge_id"]
		place = ids
	}
	read, err := call(client, "Get", place)
	note(name, "get", same(err, read, policy))
	changed := members{"enabled": false, "value": textOf("m")}
	after, err := call(client, "Update", with(ids, members{"traffic_policy": changed}))
	note(name, "update", same(err, after, changed))
	kept, err := call(client, "Update", with(ids, members{"description": "other"}))
	note(name, "keep", same(err, kept, changed))
	_, err = call(client, "Delete", place)
	note(name, "delete", err)
}

func same(err error, record members, policy members) error {
	found, _ := record["traffic_policy"].(map[string]any)
	if err == nil && !reflect.DeepEqual(members(found), policy) {
		return fmt.Errorf("found %v", record["traffic_policy"])
	}
	return err
}
