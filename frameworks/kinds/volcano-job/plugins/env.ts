import { variables } from '../../../model/framework.ts';
import { plugin } from './plugin.ts';

/** The number of a pod in its task. */
export const env = plugin({
  defaults: {},
  isForInit: true,
  environment: (_, { index }) => variables({ VK_TASK_INDEX: `${index}`, VC_TASK_INDEX: `${index}` }),
});
