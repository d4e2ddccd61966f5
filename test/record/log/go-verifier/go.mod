module signalbox.dev/test/go-verifier

go 1.26.0

require (
	github.com/transparency-dev/formats v0.1.1
	golang.org/x/mod v0.42.0
)
