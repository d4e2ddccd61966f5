import { readFileSync } from 'node:fs';
import TestSequencer from '@jest/test-sequencer';

/**
 * Runs the scenarios that share an engine after the others: each process starts it once then, and not again after each
 * file with an engine of its own (test/scenarios/shared-engine.ts).
 */
export default class EnginesOfTheirOwnFirst extends TestSequencer {
  async sort(files) {
    const { true: sharing = [], false: others = [] } = Object.groupBy(await super.sort(files), sharesEngine);
    return [...others, ...sharing];
  }
}

const sharesEngine = ({ path }) => readFileSync(path, 'utf8').includes('sharesEngine: true');
