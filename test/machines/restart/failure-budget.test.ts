import { describe, expect, it } from '@jest/globals';
import type { FailureClass } from '../../../contracts/types.ts';
import type { Charges } from '../../../machines/model/restart.ts';
import {
  budgetsOf,
  countedByLimit,
  findExceeded,
  withCharges,
  withoutCharges,
} from '../../../machines/restart/failure-budget.ts';

import { aPlan } from '../builders.ts';

const CLASSES: Readonly<Record<string, FailureClass>> = {
  infrastructure: { free: true },
  network: { budget: 3 },
  data: { budget: 0 },
};
const context = (charges?: Charges, exempt?: number) => ({
  ...aPlan()
    .workers(1)
    .policy({ failures: { classes: CLASSES } })
    .context(),
  charges,
  exempt,
});

describe('the budget of a class', () => {
  const table: readonly [had: Charges | undefined, wanted: Charges, exceeded: string | undefined][] = [
    [undefined, { network: 3 }, undefined],
    [undefined, { network: 4 }, 'network'],
    [{ network: 2 }, { network: 1 }, undefined],
    [{ network: 3 }, { network: 1 }, 'network'],
    [{ network: 3 }, { userCode: 9 }, undefined],
    [{ network: 3 }, { infrastructure: 9 }, undefined],
    [undefined, { data: 1 }, 'data'],
    [undefined, { userCode: 1, network: 4 }, 'network'],
    [{ network: 3 }, {}, undefined],
  ];
  it.each(table)('with %j charged and %j wanted exceeds %s', (had, wanted, exceeded) => {
    expect(findExceeded(context(had), wanted)?.class).toBe(exceeded);
  });

  it('is charged, and its restarts are not counted by backoffLimit', () => {
    expect(withCharges(context({ network: 1 }, 2), { network: 2, userCode: 5 })).toEqual({
      charges: { network: 3 },
      exempt: 4,
    });
  });

  it('does not apply to free failures, which backoffLimit does not count either', () => {
    expect(withCharges(context(), { infrastructure: 2 })).toEqual({ charges: undefined, exempt: 2 });
  });

  it('of a class without a budget is not kept', () => {
    expect(withCharges(context(), { userCode: 2 })).toEqual({ charges: undefined, exempt: undefined });
  });

  it.each([
    [{ userCode: 2 }, 2],
    [{ infrastructure: 2 }, 0],
    [{ network: 2 }, 0],
    [{ network: 2, infrastructure: 1, userCode: 4, stalled: 1 }, 5],
  ])('leaves to backoffLimit of %j: %i', (wanted, counted) => {
    expect(countedByLimit(context(), wanted as Charges)).toBe(counted);
  });

  it('is shown with its use, also if that is zero', () => {
    expect(budgetsOf(context({ network: 2 }))).toEqual({
      network: { used: 2, allowed: 3 },
      data: { used: 0, allowed: 0 },
    });
    expect(budgetsOf(aPlan().workers(1).context())).toBeUndefined();
  });
});

it('a refund resets budgets, ladder and back-off, and ignores all restarts so far', () => {
  const spent = {
    ...context({ network: 3 }, 1),
    restarts: { replaced: 4, earlier: 2, present: 1 },
    ladder: { rung: 1, times: 2, at: 0 },
    backOff: { inRow: 5, at: 0 },
  };
  expect(withoutCharges(spent)).toEqual({
    charges: undefined,
    ladder: undefined,
    backOff: undefined,
    exempt: 7,
    forgottenInPlace: 3,
  });
});
