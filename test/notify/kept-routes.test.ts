import { expect, it } from '@jest/globals';
import { KeptRoutes } from '../../notify/routes/kept-routes.ts';
import type { NotificationRoutes } from '../../notify/routes/parse-routes.ts';
import type { ReadRoutes } from '../../notify/routes/read-routes.ts';

const aRoute = (name: string) => ({ receivers: {}, routes: { [name]: {} } }) as unknown as NotificationRoutes;

it('keeps the routes as they are while their file has faults, and when it says the same again', async () => {
  const contents: ReadRoutes[] = [
    { routes: aRoute('failures') },
    { faults: ['routes.failures.when.phase: expected Failed'] },
    { routes: aRoute('failures') },
    { routes: aRoute('all') },
  ];
  const kept = new KeptRoutes('routes.yaml', async () => contents.shift()!);
  expect(await kept.refresh()).toBe(true);
  const { routes } = kept;
  expect(await kept.refresh()).toBe(true);
  expect(kept.faults).toHaveLength(1);
  expect(kept.routes).toBe(routes);
  expect(await kept.refresh()).toBe(true);
  expect(kept.faults).toEqual([]);
  expect(kept.routes).toBe(routes);
  expect(await kept.refresh()).toBe(true);
  expect(kept.routes).toEqual(aRoute('all'));
});
