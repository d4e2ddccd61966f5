// Generated from machines/model/effects.ts by `npm run docs`.

import { capture } from './capture.ts';
import { cleanUp } from './clean-up.ts';
import { createAttempt } from './create-attempt.ts';
import { createGroup } from './create-group.ts';
import { drain } from './drain.ts';
import { keepSpares } from './keep-spares.ts';
import { joinLane } from './lane-places.ts';
import { liftGates } from './lift-gates.ts';
import { publishHostList } from './publish-host-list.ts';
import { requestCheckpoint } from './request-checkpoint.ts';
import { restorePods } from './restore-pods.ts';
import { restoreServices } from './restore-services.ts';
import { rollBack } from './roll-back.ts';
import { scale } from './scale.ts';
import { suspend } from './suspend.ts';

/** The activities of effects, by their names. */
export const EFFECT_ACTIVITIES = {
  createGroup,
  joinLane,
  createAttempt,
  liftGates,
  rollBack,
  publishHostList,
  restoreServices,
  keepSpares,
  restorePods,
  capture,
  drain,
  scale,
  requestCheckpoint,
  suspend,
  cleanUp,
} as const;
