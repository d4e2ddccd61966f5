import { JOB_KINDS } from '../../client/manifests/kinds.ts';
import type { PageChoice } from '../../client/use-cases/find/page-of-jobs.ts';
import { listSource } from '../live/list-source.ts';
import { jobsPage } from '../pages/jobs-page.ts';
import { pageAnswer } from '../pages/layout.ts';
import { filterOf } from '../reading/url-filter.ts';
import type { ConsoleRoute, PageRequest, Tools } from './route.ts';
import { streamed } from './streamed.ts';

const PAGE_SIZE = 50;

/** Only jobs of namespaces where the person may list them, also in counts. */
async function choiceOf(
  { rights }: Tools,
  { query, person }: Pick<PageRequest, 'query' | 'person'>,
): Promise<PageChoice> {
  const namespaces = await rights.namespacesOf(person);
  const after = query.get('after') || undefined;
  return { filter: filterOf(query), ...(namespaces ? { namespaces } : {}), size: PAGE_SIZE, after };
}

export const LIST_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/',
    answer: async (tools, asked) => {
      const list = await tools.lists.read(await choiceOf(tools, asked));
      const shown = { query: asked.query, kinds: JOB_KINDS, now: Date.now() };
      return pageAnswer(jobsPage(list, shown), asked.viewer);
    },
  },
  {
    method: 'GET',
    path: '/events',
    answer: async (tools, asked) => {
      // The address of the page, whose list begins where that of the page does.
      const query = new URLSearchParams(asked.query);
      const page = query.get('page');
      if (page) query.set('after', page);
      else query.delete('after');
      const choice = await choiceOf(tools, { ...asked, query });
      return streamed(tools, asked, {
        need: undefined,
        begin: (stream, after) =>
          tools.feeds.add(
            stream,
            { key: `list ${JSON.stringify(choice)}`, after },
            listSource(tools.lists, choice),
          ),
      });
    },
  },
];
