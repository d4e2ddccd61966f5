import { describe, expect, it } from '@jest/globals';
import { ArchiverLag } from '../../worker/archiver-lag.ts';

/** A machine whose steady clock reads `ms`. */
function machine() {
  const clock = { ms: 5_000 };
  const age = new ArchiverLag(() => clock.ms);
  return { clock, age };
}

describe('the age of the last scan', () => {
  it('grows from the start of a worker without a scan', () => {
    const { clock, age } = machine();
    clock.ms += 400_000;
    expect(age.seconds()).toBe(400);
  });

  it('continues that of an archiver that stopped before the worker began', () => {
    const { clock, age } = machine();
    age.saw(1_000_000, 1_600_000);
    clock.ms += 30_000;
    age.saw(1_000_000, 1_630_000);
    expect(age.seconds()).toBe(630);
  });

  it('restarts with each scan, for any wall clock', () => {
    const { clock, age } = machine();
    age.saw(1_000_000, 9_000_000);
    clock.ms += 15_000;
    age.saw(1_015_000, 9_015_000);
    expect(age.seconds()).toBe(0);
    clock.ms += 20_000;
    expect(age.seconds()).toBe(20);
  });

  it('does not fall when less is known than before', () => {
    const { clock, age } = machine();
    age.saw(1_000_000, 1_000_000);
    clock.ms += 60_000;
    age.saw(500_000, 1_060_000);
    expect(age.seconds()).toBe(60);
  });
});
