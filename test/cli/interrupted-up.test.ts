import { expect, it } from '@jest/globals';
import { interruptedUp } from '../../cli/commands/interrupted-up.ts';

const stateOf = (phase: string) => ({ running: true, state: { phase } }) as never;

it.each([
  ['is still to be started', { running: false } as never, 'no sandbox runs yet'],
  ['starts', stateOf('starting'), 'continues to start in the background'],
  [
    'has been running',
    stateOf('ready'),
    'the sandbox runs as before. What was still to be built or added is missing',
  ],
])('Ctrl-C says what goes on of a sandbox that %s', (_what, status, sentence) => {
  expect(interruptedUp(status)).toContain(sentence);
});
