import { expect, test } from '@jest/globals';
import { Command } from 'commander';
import { listCommand } from '../../../cli/commands/list.ts';
import { filterOptions, filtersGiven } from '../../../cli/input/filter-options.ts';
import { FILTERS } from '../../../contracts/filters.ts';

const given = async (...args: string[]) => {
  const command = filterOptions(new Command('list').exitOverride().configureOutput({ writeErr: () => {} }));
  command.parse(args, { from: 'user' });
  return filtersGiven(command);
};

test('every filter with a flag is an option of list', () => {
  const flags = Object.values(FILTERS).flatMap(({ flag }) => flag ?? []);
  expect(listCommand().options.map((option) => option.flags)).toEqual(expect.arrayContaining(flags));
});

test('options are read as the values of filters, words in any letter case', async () => {
  expect(
    await given(
      ...['--phase', 'failed,running', '--kind', 'pytorchjob', '--reason', 'nodelost'],
      ...['-l', 'team=nlp,tier=1', '-l', 'tier=2', '--submitted-by', 'ana@laptop'],
      ...['--since', '2026-11-01', '--until', '2026-12-01T00:00:00Z'],
    ),
  ).toEqual({
    ...{ phase: ['Failed', 'Running'], kind: 'PyTorchJob', reason: 'NodeLost' },
    ...{ labels: { team: 'nlp', tier: '2' }, submittedBy: 'ana@laptop' },
    ...{ since: new Date('2026-11-01T00:00:00Z'), until: new Date('2026-12-01T00:00:00Z') },
  });
});

test('what is not given is no filter', async () => {
  expect(await given()).toEqual({});
});

test.each([
  [['--kind', 'PodJob'], '--kind: expected one of PyTorchJob, '],
  [['--phase', 'Runing'], 'Expected one of Pending, '],
])('%s is refused', async (args, message) => {
  await expect(given(...args)).rejects.toThrow(message);
});
