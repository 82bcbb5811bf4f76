// Evaluates CEL expressions with cel-go, the reference implementation, for comparison with ours.
//
// The first line of standard input declares the variables, as an object of type notations by name. Each further line is a
// request; each is answered with one line, in order. Values travel as the Datum of test/differential/data.ts.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/ext"
	exprpb "google.golang.org/genproto/googleapis/api/expr/v1alpha1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/sourcecontextpb"
)

type request struct {
	Source string `json:"source"`
	// A cel.expr.CheckedExpr in JSON to evaluate instead of the source.
	Checked json.RawMessage            `json:"checked"`
	Data    map[string]json.RawMessage `json:"data"`
}

// response holds the type that the checker found, unless it failed, and a value or an error with the stage it came from.
type response struct {
	Type  string `json:"type,omitempty"`
	Value any    `json:"value,omitempty"`
	Stage string `json:"stage,omitempty"`
	Error string `json:"error,omitempty"`
}

func main() {
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	environment := declare(readLine(input))
	encoder := json.NewEncoder(output)
	encoder.SetEscapeHTML(false)
	for line := readLine(input); line != nil; line = readLine(input) {
		var asked request
		must(json.Unmarshal(line, &asked))
		must(encoder.Encode(answer(environment, asked)))
	}
}

func readLine(input *bufio.Reader) []byte {
	line, _ := input.ReadBytes('\n')
	if len(line) == 0 {
		return nil
	}
	return line
}

func declare(line []byte) *cel.Env {
	var declared map[string]string
	must(json.Unmarshal(line, &declared))
	options := []cel.EnvOption{
		cel.Types(&sourcecontextpb.SourceContext{}), cel.OptionalTypes(), cel.CrossTypeNumericComparisons(true), cel.DefaultUTCTimeZone(true),
		ext.Strings(), ext.Math(), ext.Lists(), ext.Sets(), ext.Encoders(), ext.Bindings(),
		ext.TwoVarComprehensions(), ext.Regex(), ext.Network(),
	}
	for name, notation := range declared {
		options = append(options, cel.Variable(name, typeOf(notation)))
	}
	environment, err := cel.NewEnv(options...)
	must(err)
	return environment
}

func answer(environment *cel.Env, asked request) (answered response) {
	defer func() {
		if panicked := recover(); panicked != nil {
			answered = response{Stage: "panic", Error: fmt.Sprint(panicked)}
		}
	}()
	checked, err := compile(environment, asked)
	if err != nil {
		return response{Stage: "check", Error: err.Error()}
	}
	notation := checked.OutputType().String()
	program, err := environment.Program(checked)
	if err != nil {
		return response{Stage: "check", Error: err.Error()}
	}
	activation := map[string]any{}
	for name, datum := range asked.Data {
		activation[name] = toValue(datum)
	}
	value, _, err := program.Eval(activation)
	if err != nil {
		return response{Type: notation, Stage: "run", Error: err.Error()}
	}
	if types.IsUnknownOrError(value) {
		return response{Type: notation, Stage: "run", Error: fmt.Sprint(value)}
	}
	return response{Type: notation, Value: show(value)}
}

func compile(environment *cel.Env, asked request) (*cel.Ast, error) {
	if asked.Checked == nil {
		checked, issues := environment.Compile(asked.Source)
		return checked, issues.Err()
	}
	var message exprpb.CheckedExpr
	if err := protojson.Unmarshal(asked.Checked, &message); err != nil {
		return nil, err
	}
	return cel.CheckedExprToAstWithSource(&message, nil)
}

// typeOf reads the notation of @tollgate/cel: int, list(int), map(string, list(dyn)).
func typeOf(notation string) *cel.Type {
	if inner, ok := inside(notation, "list("); ok {
		return cel.ListType(typeOf(inner))
	}
	if inner, ok := inside(notation, "optional("); ok {
		return cel.OptionalType(typeOf(inner))
	}
	if inner, ok := inside(notation, "wrapper("); ok {
		return cel.NullableType(typeOf(inner))
	}
	if inner, ok := inside(notation, "map("); ok {
		key, value, _ := strings.Cut(inner, ", ")
		return cel.MapType(typeOf(key), typeOf(value))
	}
	if scalar, ok := scalars[notation]; ok {
		return scalar
	}
	return cel.ObjectType(notation)
}

func inside(notation, prefix string) (string, bool) {
	inner, ok := strings.CutPrefix(notation, prefix)
	return strings.TrimSuffix(inner, ")"), ok
}

var scalars = map[string]*cel.Type{
	"bool": cel.BoolType, "int": cel.IntType, "uint": cel.UintType, "double": cel.DoubleType,
	"string": cel.StringType, "bytes": cel.BytesType, "dyn": cel.DynType, "null": cel.NullType,
	"timestamp": cel.TimestampType, "duration": cel.DurationType,
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
