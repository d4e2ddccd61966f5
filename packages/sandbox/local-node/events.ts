import { randomBytes } from 'node:crypto';
import type { ClusterClient } from '../engine.ts';
import { EVENTS, type KubeObject } from '../engine.ts';

interface EventDetails {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Records events, for `kubectl describe`. Losing one is not an error. */
export function createEventRecorder(client: ClusterClient, nodeName: string) {
  return (about: KubeObject, note: EventDetails): void => {
    const { name, namespace = 'default', uid } = about.metadata;
    const now = new Date().toISOString();
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${randomBytes(8).toString('hex')}`, namespace },
      involvedObject: { apiVersion: about.apiVersion, kind: about.kind, name, namespace, uid },
      ...note,
      source: { component: 'local-node', host: nodeName },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    };
    client.create(EVENTS, event).catch(() => undefined);
  };
}

export type RecordEvent = ReturnType<typeof createEventRecorder>;
