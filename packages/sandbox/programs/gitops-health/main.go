// What Flux and Argo CD make of objects: reads rules and objects as JSON, and writes a verdict for each.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/argoproj/argo-cd/v3/resource_customizations"
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/runtime/cel"
	lua "github.com/yuin/gopher-lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type question struct {
	// Rules of a user: an entry of spec.healthCheckExprs, and of resource.customizations.health.
	Flux    kustomize.HealthCheckExpressions `json:"flux"`
	Lua     string                           `json:"lua"`
	Objects []*unstructured.Unstructured     `json:"objects"`
}

type verdict struct {
	// Without a rule.
	Kstatus string `json:"kstatus"`
	Flux    string `json:"flux"`
	Argo    string `json:"argo"`
	// Argo CD itself has a rule for the kind, which counts unless a user has one.
	HasArgoRule bool `json:"hasArgoRule"`
}

func main() {
	var asked question
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		fail(err)
	}
	evaluator, err := cel.NewStatusEvaluator(&asked.Flux)
	if err != nil {
		fail(err)
	}
	verdicts := []verdict{}
	for _, object := range asked.Objects {
		kstatus, err := status.Compute(object)
		if err != nil {
			fail(err)
		}
		verdicts = append(verdicts, verdict{
			Kstatus:     string(kstatus.Status),
			Flux:        flux(evaluator, object),
			Argo:        argo(asked.Lua, object),
			HasArgoRule: hasArgoRule(object),
		})
	}
	if err := json.NewEncoder(os.Stdout).Encode(verdicts); err != nil {
		fail(err)
	}
}

// An expression that cannot be evaluated leaves the object unknown.
func flux(evaluator *cel.StatusEvaluator, object *unstructured.Unstructured) string {
	result, err := evaluator.Evaluate(context.Background(), object)
	if err != nil {
		return fmt.Sprintf("Unknown: %v", err)
	}
	return string(result.Status)
}

// With the interpreter of Argo CD, and the libraries that it opens for the rules of users.
func argo(script string, object *unstructured.Unstructured) string {
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	for name, open := range map[string]lua.LGFunction{
		lua.LoadLibName: lua.OpenPackage, lua.BaseLibName: lua.OpenBase, lua.TabLibName: lua.OpenTable,
	} {
		state.Push(state.NewFunction(open))
		state.Push(lua.LString(name))
		state.Call(1, 0)
	}
	state.SetGlobal("obj", luaValue(state, object.Object))
	if err := state.DoString(script); err != nil {
		return fmt.Sprintf("Unknown: %v", err)
	}
	health, ok := state.Get(-1).(*lua.LTable)
	if !ok {
		return fmt.Sprintf("Unknown: the rule returned %s", state.Get(-1).Type())
	}
	return health.RawGetString("status").String()
}

func luaValue(state *lua.LState, value any) lua.LValue {
	switch of := value.(type) {
	case bool:
		return lua.LBool(of)
	case string:
		return lua.LString(of)
	case float64:
		return lua.LNumber(of)
	case int64:
		return lua.LNumber(of)
	case []any:
		table := state.CreateTable(len(of), 0)
		for _, item := range of {
			table.Append(luaValue(state, item))
		}
		return table
	case map[string]any:
		table := state.CreateTable(0, len(of))
		for key, item := range of {
			table.RawSetString(key, luaValue(state, item))
		}
		return table
	}
	return lua.LNil
}

func hasArgoRule(object *unstructured.Unstructured) bool {
	kind := object.GroupVersionKind()
	_, err := resource_customizations.Embedded.ReadFile(kind.Group + "/" + kind.Kind + "/health.lua")
	return err == nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
