package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"cel.dev/cel-go/ext"
	"google.golang.org/protobuf/types/known/sourcecontextpb"
)

// adapter knows the message type that the variables have.
var adapter, _ = types.NewRegistry(&sourcecontextpb.SourceContext{})

// datum is a value on the wire. Integers are decimal strings; doubles are their bits in hexadecimal.
type datum struct {
	Kind     string               `json:"kind"`
	Value    any                  `json:"value,omitempty"`
	Seconds  int64                `json:"seconds,omitempty"`
	Nanos    int64                `json:"nanos,omitempty"`
	Elements []json.RawMessage    `json:"elements,omitempty"`
	Entries  [][2]json.RawMessage `json:"entries,omitempty"`
}

func toValue(raw json.RawMessage) ref.Val {
	var d datum
	must(json.Unmarshal(raw, &d))
	switch d.Kind {
	case "null":
		return types.NullValue
	case "bool":
		return types.Bool(d.Value.(bool))
	case "int":
		number, err := strconv.ParseInt(d.Value.(string), 10, 64)
		must(err)
		return types.Int(number)
	case "uint":
		number, err := strconv.ParseUint(d.Value.(string), 10, 64)
		must(err)
		return types.Uint(number)
	case "double":
		bits, err := strconv.ParseUint(d.Value.(string), 16, 64)
		must(err)
		return types.Double(math.Float64frombits(bits))
	case "string":
		return types.String(d.Value.(string))
	case "bytes":
		return types.Bytes(bytesIn(d.Value.([]any)))
	case "timestamp":
		return types.Timestamp{Time: time.Unix(d.Seconds, d.Nanos).UTC()}
	case "duration":
		return types.Duration{Duration: time.Duration(d.Seconds)*time.Second + time.Duration(d.Nanos)}
	case "message":
		return adapter.NativeToValue(&sourcecontextpb.SourceContext{FileName: d.Value.(string)})
	case "list":
		return types.NewRefValList(adapter, elementsIn(d.Elements))
	case "map":
		return types.NewRefValMap(adapter, entriesIn(d.Entries))
	}
	panic("unknown kind " + d.Kind)
}

func bytesIn(numbers []any) []byte {
	bytes := make([]byte, len(numbers))
	for i, number := range numbers {
		bytes[i] = byte(number.(float64))
	}
	return bytes
}

func elementsIn(raw []json.RawMessage) []ref.Val {
	elements := make([]ref.Val, len(raw))
	for i, element := range raw {
		elements[i] = toValue(element)
	}
	return elements
}

func entriesIn(raw [][2]json.RawMessage) map[ref.Val]ref.Val {
	entries := make(map[ref.Val]ref.Val, len(raw))
	for _, entry := range raw {
		entries[toValue(entry[0])] = toValue(entry[1])
	}
	return entries
}

type object = map[string]any

func show(value ref.Val) any {
	if value.Type().TypeName() == "google.protobuf.SourceContext" {
		return object{"kind": "message", "value": value.(traits.Indexer).Get(types.String("file_name")).Value()}
	}
	switch v := value.(type) {
	case types.Null:
		return object{"kind": "null"}
	case types.Bool:
		return object{"kind": "bool", "value": bool(v)}
	case types.Int:
		return object{"kind": "int", "value": fmt.Sprint(int64(v))}
	case types.Uint:
		return object{"kind": "uint", "value": fmt.Sprint(uint64(v))}
	case types.Double:
		return object{"kind": "double", "value": fmt.Sprintf("%016x", math.Float64bits(float64(v)))}
	case types.String:
		return showString(string(v))
	case types.Bytes:
		return object{"kind": "bytes", "value": numbersOf([]byte(v))}
	case types.Timestamp:
		return object{"kind": "timestamp", "seconds": v.Unix(), "nanos": v.Nanosecond()}
	case types.Duration:
		return object{"kind": "duration", "seconds": int64(v.Duration / time.Second), "nanos": int64(v.Duration % time.Second)}
	case *types.Optional:
		if !v.HasValue() {
			return object{"kind": "optional"}
		}
		return object{"kind": "optional", "value": show(v.GetValue())}
	case ext.IP:
		return object{"kind": "ip", "value": v.Addr.String()}
	case ext.CIDR:
		return object{"kind": "cidr", "value": v.Prefix.String()}
	case ref.Type:
		return object{"kind": "type", "value": v.TypeName()}
	case traits.Mapper:
		return showMap(v)
	case traits.Lister:
		return showList(v)
	}
	panic(fmt.Sprintf("unknown value %T", value))
}

// showString keeps the bytes where they are not UTF-8, which JSON cannot hold.
func showString(s string) any {
	if utf8.ValidString(s) {
		return object{"kind": "string", "value": s}
	}
	return object{"kind": "invalid-string", "value": numbersOf([]byte(s))}
}

func numbersOf(bytes []byte) []int {
	numbers := make([]int, len(bytes))
	for i, b := range bytes {
		numbers[i] = int(b)
	}
	return numbers
}

func showList(list traits.Lister) any {
	elements := []any{}
	for it := list.Iterator(); it.HasNext() == types.True; {
		elements = append(elements, show(it.Next()))
	}
	return object{"kind": "list", "elements": elements}
}

func showMap(m traits.Mapper) any {
	entries := [][2]any{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		entries = append(entries, [2]any{show(key), show(m.Get(key))})
	}
	return object{"kind": "map", "entries": entries}
}
