import type { Program } from '../program.ts';

/** Temporal's UI as it is deployed, with a configuration from the environment. No sandbox runs it. */
export const temporalUi: Program = {
  name: 'temporal-ui',
  version: '2.42.1',
  parseVersion: () => undefined,
  release: () => undefined, // published as an image only
  build: {
    module: 'temporal-ui',
    package: 'github.com/temporalio/ui-server/v2/cmd/server',
    ldflags: '',
    minutes: 1,
  },
};
