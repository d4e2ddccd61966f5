import { describe, expect, it } from '@jest/globals';
import { Edits } from '../../bridge/edits.ts';
import type { FollowedResource } from '../../client/use-cases/apply/apply-resource.ts';

type EditStep = Exclude<ReturnType<Edits['next']>, string>;

const stateOf = (annotations: string) => ({
  ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', uid: 'u1', generation: 1 },
  annotations,
});

const REFUSED: FollowedResource = { is: 'refused', why: 'no', mayPass: false };
const NO_LANE: FollowedResource = { is: 'refused', why: 'there is no such lane', mayPass: true };
const TOO_EARLY: FollowedResource = { is: 'asked too early' };

/** The bridge's way through edits: each is passed on, answered, and then followed or not. */
function aBridge() {
  const edits = new Edits();
  let version = 0;
  return {
    edits,
    ask: (state: string, at = 0) => edits.next(stateOf(state), String(++version), at),
    answer: (answer: FollowedResource, at = 0) => edits.answered('u1', answer, at),
    inStep: () => edits.inStep('u1'),
  };
}

const idOf = (step: EditStep | string) => (step as EditStep).updateId;

describe('an edit', () => {
  it('that brings back an earlier state has an id of its own', () => {
    const { ask, answer, inStep } = aBridge();
    const ids = ['B', 'A', 'B', 'A', 'B'].map((state) => {
      const id = idOf(ask(state));
      answer({ is: 'followed' });
      inStep();
      return id;
    });
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keeps its id as long as nobody has answered', () => {
    const { ask } = aBridge();
    expect(ask('B')).toEqual(ask('B'));
  });

  it('is another one if the resource went back before anybody answered', () => {
    const { ask, inStep } = aBridge();
    const first = ask('B');
    inStep();
    expect(idOf(ask('B'))).not.toBe(idOf(first));
  });

  it('that was refused is asked for once, until the resource says something else', () => {
    const { ask, answer, inStep } = aBridge();
    const first = ask('B');
    expect(answer(REFUSED)).toBe(true);
    expect(ask('B', 1e9)).toBe('settled');
    inStep();
    const second = ask('B') as EditStep;
    expect(second.key).not.toBe((first as EditStep).key);
    answer(REFUSED);
    ask('C');
    answer(REFUSED);
    expect(ask('B')).toHaveProperty('updateId');
  });

  it.each([
    ['came too early', TOO_EARLY],
    ['names a lane that is not there yet', NO_LANE],
    ['was followed, which its anchor does not say', { is: 'followed' } as const],
  ])('that %s is asked for again, later and under another id, as the same step', (_, said) => {
    const { ask, answer } = aBridge();
    const first = ask('B') as EditStep;
    expect(answer(said)).toBe(false);
    expect(ask('B')).toBe('later');
    const second = ask('B', 60_000) as EditStep;
    expect(second.key).toBe(first.key);
    expect(second.updateId).not.toBe(first.updateId);
  });

  it('is asked for ever less often while it cannot be followed', () => {
    const { ask, answer } = aBridge();
    let asked = 0;
    for (let at = 0; at < 86_400_000; at += 1_000) {
      if (typeof ask('B', at) === 'string') continue;
      asked++;
      answer(NO_LANE, at);
    }
    expect(asked).toBeGreaterThan(20);
    expect(asked).toBeLessThan(100);
  });
});

describe('edits without end', () => {
  it('are passed on once in a second', () => {
    const { edits } = aBridge();
    expect(edits.isTooEarly('u1', 0)).toBe(false);
    edits.sent('u1', 0);
    expect(edits.isTooEarly('u1', 999)).toBe(true);
    expect(edits.isTooEarly('u1', 1_000)).toBe(false);
    edits.inStep('u1');
    expect(edits.isTooEarly('u1', 999)).toBe(true);
  });
});
