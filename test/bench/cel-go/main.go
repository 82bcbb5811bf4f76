// Counts how many recorded requests the conditions of each rule match, with cel-go, for comparison with `tollgate replay`:
//
//	replay POLICY TRAFFIC
//
// The policy is in JSON, and the traffic in JSON lines. The result is printed as {"exchanges": …, "matched": […]}.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/netip"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

type rule struct {
	Expressions []string `json:"expressions"`
}

type policy struct {
	Inbound  []rule `json:"inbound"`
	Outbound []rule `json:"outbound"`
}

type record struct {
	ClientIP        string            `json:"client_ip"`
	Method          string            `json:"method"`
	URL             string            `json:"url"`
	Status          int               `json:"status"`
	TLSVersion      string            `json:"tls_version"`
	Country         string            `json:"country"`
	RequestHeaders  map[string]string `json:"request_headers"`
	ResponseHeaders map[string]string `json:"response_headers"`
}

type result struct {
	Exchanges int   `json:"exchanges"`
	Matched   []int `json:"matched"`
}

const batchSize = 1 << 20

func main() {
	rules := compile(os.Args[1])
	file, err := os.Open(os.Args[2])
	must(err)
	batches := make(chan []byte, 4)
	results := make([]result, runtime.NumCPU())
	var workers sync.WaitGroup
	for index := range results {
		workers.Add(1)
		go func() {
			defer workers.Done()
			results[index] = count(rules, batches)
		}()
	}
	readBatches(file, batches)
	workers.Wait()
	total := result{Matched: make([]int, len(rules))}
	for _, part := range results {
		total.Exchanges += part.Exchanges
		for index, matched := range part.Matched {
			total.Matched[index] += matched
		}
	}
	must(json.NewEncoder(os.Stdout).Encode(total))
}

// compile returns the conditions of each rule.
func compile(path string) [][]cel.Program {
	text, err := os.ReadFile(path)
	must(err)
	var read policy
	must(json.Unmarshal(text, &read))
	environment, err := cel.NewEnv(
		cel.Variable("req", cel.DynType),
		cel.Variable("res", cel.DynType),
		cel.Variable("conn", cel.DynType),
		cidrFunction("inCidrRange", cel.StringType),
		cidrFunction("inCidrRanges", cel.ListType(cel.StringType)),
	)
	must(err)
	var rules [][]cel.Program
	for _, one := range append(read.Inbound, read.Outbound...) {
		programs := []cel.Program{}
		for _, expression := range one.Expressions {
			checked, issues := environment.Compile(expression)
			must(issues.Err())
			program, err := environment.Program(checked, cel.EvalOptions(cel.OptOptimize))
			must(err)
			programs = append(programs, program)
		}
		rules = append(rules, programs)
	}
	return rules
}

// cidrFunction declares whether an address is in a network, or in one of a list.
func cidrFunction(name string, networks *cel.Type) cel.EnvOption {
	var known sync.Map
	prefix := func(text string) netip.Prefix {
		if found, ok := known.Load(text); ok {
			return found.(netip.Prefix)
		}
		parsed, err := netip.ParsePrefix(text)
		must(err)
		known.Store(text, parsed)
		return parsed
	}
	contains := func(address ref.Val, network ref.Val) bool {
		parsed, err := netip.ParseAddr(string(address.(types.String)))
		return err == nil && prefix(string(network.(types.String))).Contains(parsed)
	}
	return cel.Function(name, cel.Overload(name, []*cel.Type{cel.DynType, networks}, cel.BoolType,
		cel.BinaryBinding(func(address, given ref.Val) ref.Val {
			if list, ok := given.(traits.Lister); ok {
				for iterator := list.Iterator(); iterator.HasNext() == types.True; {
					if contains(address, iterator.Next()) {
						return types.True
					}
				}
				return types.False
			}
			return types.Bool(contains(address, given))
		})))
}

// readBatches sends whole lines.
func readBatches(file io.Reader, batches chan<- []byte) {
	defer close(batches)
	var rest []byte
	for {
		batch := make([]byte, len(rest)+batchSize)
		copy(batch, rest)
		read, err := io.ReadFull(file, batch[len(rest):])
		batch = batch[:len(rest)+read]
		if err != nil {
			batches <- batch
			return
		}
		end := bytes.LastIndexByte(batch, '\n') + 1
		rest = batch[end:]
		batches <- batch[:end]
	}
}

func count(rules [][]cel.Program, batches <-chan []byte) result {
	counted := result{Matched: make([]int, len(rules))}
	for batch := range batches {
		lines := bufio.NewScanner(bytes.NewReader(batch))
		lines.Buffer(nil, batchSize)
		for lines.Scan() {
			var one record
			must(json.Unmarshal(lines.Bytes(), &one))
			counted.Exchanges++
			variables := variablesOf(&one)
			for index, conditions := range rules {
				if holds(conditions, variables) {
					counted.Matched[index]++
				}
			}
		}
		must(lines.Err())
	}
	return counted
}

func variablesOf(one *record) map[string]any {
	target, err := url.Parse(one.URL)
	must(err)
	return map[string]any{
		"req": map[string]any{
			"Method": one.Method, "URL": one.URL, "Host": target.Host, "Path": target.Path,
			"Headers": lists(one.RequestHeaders), "ClientTLS": map[string]string{"Version": one.TLSVersion},
		},
		"res":  map[string]any{"StatusCode": strconv.Itoa(one.Status), "Headers": lists(one.ResponseHeaders)},
		"conn": map[string]any{"ClientIP": one.ClientIP, "Geo": map[string]string{"CountryCode": one.Country}},
	}
}

func lists(headers map[string]string) map[string][]string {
	all := make(map[string][]string, len(headers))
	for name, value := range headers {
		all[name] = []string{value}
	}
	return all
}

// holds is false for errors, such as that of an absent header.
func holds(conditions []cel.Program, variables map[string]any) bool {
	for _, condition := range conditions {
		value, _, err := condition.Eval(variables)
		if err != nil || value != types.True {
			return false
		}
	}
	return true
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
