import { DASHBOARD_FILES } from '../dashboards/files.ts';
import { ACCESS_FILES } from './access-files.ts';
import { builders } from './builders.ts';
import { chartReadme } from './chart-readme.ts';
import { contractTypes } from './contract-types.ts';
import { effectActivities } from './effect-activities.ts';
import { jobFilters } from './job-filters.ts';
import { manifestTypes } from './manifest-types.ts';
import { PAGES } from './pages.ts';
import { podTypes } from './pod-types.ts';
import { POLICY_FILES } from './policy-files.ts';
import { pythonBuilders, pythonPackage } from './python/builders.ts';
import { pythonErrors } from './python/errors.ts';
import { pythonFields } from './python/fields.ts';
import { pythonFilters } from './python/filters.ts';
import { pythonNames } from './python/names.ts';
import { pythonReasons } from './python/reasons.ts';
import { pythonWaits } from './python/waits.ts';
import { SCHEMA_FILES } from './schema-files.ts';
import { PAGES_WITH_SECTIONS } from './sections.ts';
import { WORTH_FILES } from './worth.ts';

/** Every generated file by its path, with what it must contain. */
export const GENERATED_FILES: Readonly<Record<string, () => string | Promise<string>>> = {
  ...Object.fromEntries(Object.entries(PAGES).map(([file, page]) => [`docs/${file}`, page])),
  ...PAGES_WITH_SECTIONS,
  ...SCHEMA_FILES,
  ...DASHBOARD_FILES,
  ...POLICY_FILES,
  ...ACCESS_FILES,
  ...WORTH_FILES,
  'activities/effects.ts': effectActivities,
  'charts/signalbox/README.md': chartReadme,
  'client/manifests/manifest-types.ts': manifestTypes,
  'client/manifests/builders/builders.ts': builders,
  'client/use-cases/find/job-filter.ts': jobFilters,
  'contracts/types.ts': contractTypes,
  'frameworks/fields/pod-types.ts': podTypes,
  'python/src/signalbox/models/builders.py': pythonBuilders,
  'python/src/signalbox/models/errors.py': pythonErrors,
  'python/src/signalbox/models/fields.py': pythonFields,
  'python/src/signalbox/models/filters.py': pythonFilters,
  'python/src/signalbox/models/reasons.py': pythonReasons,
  'python/src/signalbox/models/waits.py': pythonWaits,
  'python/src/signalbox/__init__.py': pythonPackage,
  'python/src/signalbox/_names.py': pythonNames,
};
