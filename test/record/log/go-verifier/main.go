// Verifies a log of signalbox with the libraries of Go's checksum database and of transparency-dev, which know nothing of it.
//
//	go-verifier VERIFIER_KEY ORIGIN DIRECTORY
//	go-verifier VERIFIER_KEY ORIGIN PROOF.tlog-proof
package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/transparency-dev/formats/log"
	"github.com/transparency-dev/formats/proof"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	check := verify
	if strings.HasSuffix(os.Args[3], ".tlog-proof") {
		check = verifyProof
	}
	if err := check(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func verify(key, origin, store string) error {
	dir := filepath.Join(store, "log")
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return err
	}
	newest, err := readCheckpoint(filepath.Join(dir, "checkpoint"), origin, verifier)
	if err != nil {
		return err
	}
	tree := tlog.Tree{N: int64(newest.Size), Hash: hashOf(newest)}
	hashes := tlog.TileHashReader(tree, &tiles{dir})
	if err := verifyEntries(dir, tree, hashes); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(dir, "checkpoints", "*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		older, err := readCheckpoint(file, origin, verifier)
		if err != nil {
			return err
		}
		path, err := tlog.ProveTree(tree.N, int64(older.Size), hashes)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if err := tlog.CheckTree(path, tree.N, tree.Hash, int64(older.Size), hashOf(older)); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	fmt.Printf("%d leaves, %d checkpoints\n", tree.N, len(files))
	return nil
}

// verifyProof checks that the extra data of a proof is a leaf of the log.
func verifyProof(key, origin, file string) error {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var given proof.TLogProof
	if err := given.Unmarshal(text); err != nil {
		return err
	}
	checkpoint, _, _, err := log.ParseCheckpoint(given.Checkpoint, origin, verifier)
	if err != nil {
		return err
	}
	hashes := make(tlog.RecordProof, len(given.Hashes))
	for place, hash := range given.Hashes {
		hashes[place] = hash
	}
	leaf := tlog.RecordHash(given.ExtraData)
	if err := tlog.CheckRecord(hashes, int64(checkpoint.Size), hashOf(checkpoint), int64(given.Index), leaf); err != nil {
		return err
	}
	fmt.Printf("leaf %d of %d: %s\n", given.Index, checkpoint.Size, given.ExtraData)
	return nil
}

func readCheckpoint(file, origin string, verifier note.Verifier) (*log.Checkpoint, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	checkpoint, _, _, err := log.ParseCheckpoint(text, origin, verifier)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return checkpoint, nil
}

func hashOf(checkpoint *log.Checkpoint) (hash tlog.Hash) {
	copy(hash[:], checkpoint.Hash)
	return hash
}

// verifyEntries checks each entry with an inclusion proof.
func verifyEntries(dir string, tree tlog.Tree, hashes tlog.HashReader) error {
	for first := int64(0); first < tree.N; first += 256 {
		tile := tlog.Tile{H: 8, L: -1, N: first / 256, W: int(min(256, tree.N-first))}
		bundle, err := os.ReadFile(filepath.Join(dir, strings.Replace(tile.Path(), "tile/8/data/", "tile/entries/", 1)))
		if err != nil {
			return err
		}
		for index := first; index < first+int64(tile.W); index++ {
			length := 2 + int(binary.BigEndian.Uint16(bundle))
			path, err := tlog.ProveRecord(tree.N, index, hashes)
			if err != nil {
				return err
			}
			if err := tlog.CheckRecord(path, tree.N, tree.Hash, index, tlog.RecordHash(bundle[2:length])); err != nil {
				return fmt.Errorf("leaf %d: %w", index, err)
			}
			bundle = bundle[length:]
		}
		if len(bundle) != 0 {
			return fmt.Errorf("%s: %d bytes after the last entry", tile.Path(), len(bundle))
		}
	}
	return nil
}

// tiles reads tiles of 256 hashes, whose height 8 is not part of their paths in C2SP tlog-tiles.
type tiles struct{ dir string }

func (t *tiles) Height() int { return 8 }

func (t *tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	found := make([][]byte, len(wanted))
	for place, tile := range wanted {
		bytes, err := os.ReadFile(filepath.Join(t.dir, strings.Replace(tile.Path(), "tile/8/", "tile/", 1)))
		if err != nil {
			return nil, err
		}
		found[place] = bytes
	}
	return found, nil
}

func (t *tiles) SaveTiles([]tlog.Tile, [][]byte) {}
