import { z } from 'zod';
import { configSection, type SectionValue, userKey } from '../../config/index.ts';

export const telemetrySection = configSection('telemetry', {
  endpoint: userKey(
    z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
    'where spans of model calls go, by OTLP over HTTP, such as http://127.0.0.1:4318; empty: nowhere',
  ),
  contents: userKey(z.boolean().default(false), 'whether spans hold what was asked and answered'),
});
export type TelemetrySettings = SectionValue<typeof telemetrySection.keys>;
