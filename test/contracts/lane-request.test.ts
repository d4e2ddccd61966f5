import { expect, it } from '@jest/globals';
import { parseLanePlace, parseLaneRequest } from '../../contracts/lane-request.ts';

const requestOf = (demand: unknown) =>
  parseLaneRequest(JSON.stringify({ lane: 'research', priority: 0, demand, labels: {} }));

it('reads what a job asks of its lane', () => {
  expect(requestOf({ 'nvidia.com/gpu': '16', memory: '1500m' })?.demand).toEqual({
    'nvidia.com/gpu': '16',
    memory: '1500m',
  });
});

it.each(['-1', '-0.5', 'NaN', 'Infinity', '', 'many', '1e99', '1e999'])('refuses the amount %j', (amount) => {
  expect(requestOf({ cpu: '1', 'nvidia.com/gpu': amount })).toBeUndefined();
});

it.each(['', '{', '[]', '{"attempt":1}', '{"attempt":1,"since":"2"}', '{"attempt":1e999,"since":2}'])(
  'takes %j for no place',
  (text) => {
    expect(parseLanePlace(text)).toBeUndefined();
  },
);
