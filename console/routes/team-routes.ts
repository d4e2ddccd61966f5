import { pageAnswer } from '../pages/layout.ts';
import { teamPage } from '../pages/team-page.ts';
import { momentIn } from '../reading/url-filter.ts';
import type { ConsoleRoute } from './route.ts';

const needs: ConsoleRoute['needs'] = (_params, query) => ({
  verb: 'list',
  resource: 'jobs',
  namespace: query.get('namespace')?.trim() || undefined,
});

export const TEAM_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/team',
    answer: (_tools, { viewer }) => pageAnswer(teamPage({ namespace: '', since: '30d' }), viewer),
  },
  {
    method: 'GET',
    path: '/team/report',
    needs,
    answer: async ({ servers, periods }, { query, viewer }) => {
      const namespace = query.get('namespace')?.trim() ?? '';
      const since = query.get('since')?.trim() || '30d';
      const from = momentIn(since, 'since');
      const report = await periods.get(JSON.stringify([namespace, since]), async () => {
        const [client, archive] = await Promise.all([servers.client(), servers.archive()]);
        return client.report({ namespace: namespace || undefined, since: from, archive });
      });
      return pageAnswer(teamPage({ namespace, since, report }), viewer);
    },
  },
];
