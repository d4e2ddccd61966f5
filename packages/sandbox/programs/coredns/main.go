// CoreDNS with what pods of one machine need. The whole of it has ten times as many packages.
package main

import (
	"github.com/coredns/coredns/core/dnsserver"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/bind"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/template"
)

// In the order in which they see a query.
func init() {
	dnsserver.Directives = []string{"bind", "health", "errors", "template", "kubernetes"}
}

func main() {
	coremain.Run()
}
