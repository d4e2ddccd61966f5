import { pageAnswer } from '../pages/layout.ts';
import { waitingPage } from '../pages/waiting-page.ts';
import { readGpuMap } from '../reading/gpu-map.ts';
import type { KeptValue } from '../reading/kept.ts';
import type { ConsoleRoute } from './route.ts';

export const WAITING_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/waiting',
    answer: async ({ servers, rights, settings, maps, lanes: answers }, { person, viewer }) => {
      const namespaces = await rights.namespacesOf(person);
      const [nodes, lanes] = await Promise.all([
        orError(maps.get('all', () => readGpuMap(servers))),
        settings.lanes === undefined
          ? undefined
          : orError(answers.get('all', async () => (await servers.client()).lanes.list())),
      ]);
      const knows = (namespace: string) => namespaces?.includes(namespace) ?? true;
      return pageAnswer(waitingPage({ nodes, lanes, knows, now: Date.now() }), viewer);
    },
  },
];

/** One of the two is worth a page without the other. */
const orError = <T>(reading: Promise<KeptValue<T>>): Promise<KeptValue<T> | { readonly error: unknown }> =>
  reading.catch((error: unknown) => ({ error }));
