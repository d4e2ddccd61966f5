import { readFileSync } from 'node:fs';
import TestSequencer from '@jest/test-sequencer';

/** Those of the unit tests that take longest, which jest knows only where they have run before: it goes by the size of files. */
const LONGEST = /\/test\/(simulation\/simulation|replay\/releases)\.test\.ts$/;

/**
 * Runs the longest files first, and the scenarios that share an engine after the others: each process starts it once then,
 * and not again after each file with an engine of its own (test/scenarios/shared-engine.ts).
 */
export default class Sequencer extends TestSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

const placeOf = ({ path }) => (LONGEST.test(path) ? 0 : sharesEngine(path) ? 2 : 1);

const sharesEngine = (path) => readFileSync(path, 'utf8').includes('sharesEngine: true');
