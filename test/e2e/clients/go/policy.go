//go:build !traffic_policy

package main

import (
	"github.com/ngrok/ngrok-api-go/v5"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/https_edge_route_policy"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/tcp_edge_policy"
	"github.com/ngrok/ngrok-api-go/v5/edge_modules/tls_edge_policy"
)

// policies sets policies as objects, as the client does up to version 5.
func policies(config *ngrok.ClientConfig, onRoute, onTls, onTcp members) {
	rules := members{"inbound": []members{{"name": "n", "expressions": []string{}, "actions": []members{{"type": "deny"}}}}}
	module("route policy", https_edge_route_policy.NewClient(config), onRoute, rules)
	module("tls edge policy", tls_edge_policy.NewClient(config), onTls, rules)
	module("tcp edge policy", tcp_edge_policy.NewClient(config), onTcp, rules)
}
