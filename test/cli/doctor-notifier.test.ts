import { describe, expect, it } from '@jest/globals';
import { findingsOfBeat } from '../../cli/doctor/notifier-checks.ts';

const NOW = Date.parse('2026-12-01T08:00:00Z');
const beat = { at: '2026-12-01T07:59:55Z', since: '2026-12-01T07:59:50Z', engine: {}, started: 3, routes: 4 };

describe('what doctor says of the notifier', () => {
  it.each([
    ['that it tells', {}, ['ok looks: it tells by 4 routes']],
    [
      'that none runs',
      { at: '2026-12-01T07:00:00Z' },
      ['warning looks: the last one was 1h ago: no notifier runs'],
    ],
    ['what keeps it from looking', { problem: 'Temporal is away' }, ['warning looks: Temporal is away']],
    [
      'faults of its routes, and that others are in use',
      { faults: ['routes.yaml: x'] },
      [
        'ok looks: it tells by 4 routes',
        'warning routes: routes.yaml: x; it uses the last good ones, 4 routes',
      ],
    ],
    [
      'that nothing is told',
      { faults: ['routes.yaml: x'], routes: 0 },
      ['ok looks: it tells by 0 routes', 'warning routes: routes.yaml: x; nothing is told'],
    ],
  ])('%s', (_, more, expected) => {
    const found = findingsOfBeat({ ...beat, ...more }, NOW);
    expect(found.map(({ state, check, message }) => `${state} ${check}: ${message}`)).toEqual(expected);
  });
});
