import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type StreamFault, StreamFaults } from './stream-faults.ts';

let faults: StreamFaults;

beforeEach(() => {
  faults = new StreamFaults();
});

const asked = (path: string, method = 'GET') => ({ method, path });
const LIST = asked('/api/v1/pods?labelSelector=a');
const WATCH = asked('/api/v1/pods?watch=true&resourceVersion=7');
const LOG = asked('/api/v1/namespaces/ml/pods/a/log');
const NODES = asked('/api/v1/nodes');
const PATCH = asked('/api/v1/namespaces/ml/pods/a', 'PATCH');

const begin = (fault: StreamFault) => faults.begin({ resource: 'pods', fault, listsTakeMs: 5_000 });

const statusOf = (request: typeof LIST) => faults.treat(request).fault?.status;

/** An open watch, through which the server sends. */
function watch(request = WATCH) {
  const from = new PassThrough();
  const to = new PassThrough();
  from.pipe(to);
  faults.opened(request, from, to);
  return { from, to };
}

describe('a stream', () => {
  it('without permission is refused, and its open watch ends, while others continue', () => {
    const [pods, nodes] = [watch(), watch(asked('/api/v1/nodes?watch=true'))];
    begin('forbidden');
    expect([LIST, WATCH, LOG, NODES, PATCH].map(statusOf)).toEqual([
      403,
      403,
      undefined,
      undefined,
      undefined,
    ]);
    expect([pods.to.destroyed, nodes.to.destroyed]).toEqual([true, false]);
    expect(faults.end()).toBe(3);
    expect(statusOf(LIST)).toBeUndefined();
  });

  it('with a dead connection receives nothing until the connection is closed, while another one works', async () => {
    const { from, to } = watch();
    begin('dead');
    from.write('news');
    expect([LIST, WATCH].map(statusOf)).toEqual([undefined, undefined]);
    const other = watch();
    other.from.write('more');
    expect(String((await other.to[Symbol.asyncIterator]().next()).value)).toBe('more');
    expect([to.read(), to.destroyed]).toEqual([null, false]);
    expect(faults.end()).toBe(1);
    expect(to.destroyed).toBe(true);
  });

  it('whose watch has expired gets an error each time', () => {
    begin('expired');
    expect([WATCH, LIST, WATCH].map(statusOf)).toEqual([410, undefined, 410]);
  });

  it('with an expired watch has to list, slowly', () => {
    const { to } = watch();
    begin('slow');
    expect(to.destroyed).toBe(true);
    expect(statusOf(WATCH)).toBe(410);
    expect(faults.treat(LIST)).toEqual({ afterMs: 5_000 });
    expect(statusOf(WATCH)).toBeUndefined();
  });

  it('without a reader is not counted as hit', () => {
    begin('expired');
    expect(faults.end()).toBe(0);
  });
});
