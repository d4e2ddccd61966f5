import { parseArgs } from 'node:util';
import { modelGrowth } from './growth-model.ts';
import { measureGrowth } from './growth-on-cluster.ts';

/**
 * How much memory a watcher needs for many jobs, most of them ended. As a model of what it keeps, or with `--real` the
 * process itself, on the API server of a sandbox: `npm run bench:growth -- --real --ended 20000 --live 1000`
 */

const { values } = parseArgs({
  options: {
    real: { type: 'boolean', default: false },
    ended: { type: 'string' },
    live: { type: 'string' },
    'pods-per-job': { type: 'string', default: '10' },
  },
});
const size = {
  ended: Number(values.ended ?? (values.real ? 20_000 : 100_000)),
  live: Number(values.live ?? (values.real ? 1_000 : 10_000)),
  podsPerJob: Number(values['pods-per-job']),
};
console.log(await (values.real ? measureGrowth(size) : modelGrowth(size)));
