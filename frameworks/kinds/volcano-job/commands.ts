import type { KubeObject } from '../../../contracts/kubernetes.ts';
import { asFields, ownValue } from '../../../language/fields.ts';
import type { RequestObjects, RequestOfObject } from '../../model/resource-customs.ts';

const text = { type: 'string' };

/** Commands of Volcano's bus, which `vcctl job suspend` and `resume` create. */
export const VOLCANO_COMMANDS: RequestObjects = {
  resource: { apiVersion: 'bus.volcano.sh/v1alpha1', kind: 'Command', plural: 'commands', namespaced: true },
  fields: {
    ...{ action: text, reason: text, message: text },
    target: {
      type: 'object',
      required: ['apiVersion', 'kind', 'name', 'uid'],
      properties: {
        ...{ apiVersion: text, kind: text, name: text, uid: text },
        ...{ controller: { type: 'boolean' }, blockOwnerDeletion: { type: 'boolean' } },
      },
    },
  },
  read,
};

function read({ action, target }: KubeObject): RequestOfObject | undefined {
  const { apiVersion, kind, uid } = asFields(target);
  const isOfJob = kind === 'Job' && String(apiVersion).startsWith('batch.volcano.sh/');
  if (!isOfJob || typeof uid !== 'string' || typeof action !== 'string') return undefined;
  const request = ownValue(REQUESTS, action);
  return request ? { uid, action, request } : { uid, action, instead: INSTEAD };
}

const REQUESTS: Readonly<Record<string, NonNullable<RequestOfObject['request']>>> = {
  AbortJob: 'suspend',
  ResumeJob: 'resume',
  TerminateJob: 'stop',
};

const INSTEAD = `the actions of a Command are ${Object.keys(REQUESTS).join(', ')}; to restart the job suspend and resume it`;
