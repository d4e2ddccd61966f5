export { ADMISSION_POLICIES } from '../../../frameworks/schemas/admission-policies.ts';
export { customResourceDefinitions } from '../../../frameworks/schemas/custom-resources.ts';
