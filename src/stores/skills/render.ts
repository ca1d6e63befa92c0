import { removeHidden } from './hidden-text.ts';
import type { SkillCollection, SkillDescriptor } from './skill.ts';

/** A skill as it enters a conversation. */
export interface ResolvedSkill {
  id: string;
  name: string;
  /** The whole `<skill>` block, sanitized and truncated. */
  rendered_body: string;
  byte_size: number;
}

const closing = /<\/skill\s*>/gi;
const escaped = '<\\/skill>';
const marker = '[truncated]';
/** Hundreds of skills at the root would fill the prompt that collections are meant to keep small. */
const maxAtRoot = 50;

/**
 * The body between `<skill id="…">` and `</skill>`. Nothing inside can close the block: closing tags are escaped
 * before truncation, so that truncation never creates one. Everything else stays as written.
 */
export function renderSkill(
  skill: {
    id: string;
    body: string /** Label of text by other authors. */;
    source?: string | undefined;
  },
  maxBytes: number,
): { text: string; truncated: boolean; hidden: number } {
  const { text: visible, removed } = removeHidden(skill.body);
  const safe = visible.replace(closing, escaped);
  const cut = truncate(safe, maxBytes);
  const label = skill.source === undefined ? '' : ` source="${escapeXml(skill.source)}"`;
  return {
    text: `<skill id="${escapeXml(skill.id)}"${label}>\n${cut}\n</skill>`,
    truncated: cut !== safe,
    hidden: removed,
  };
}

/** At most `maxBytes` of UTF-8 with the marker, never within a character or an escaped tag. */
function truncate(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = Math.max(0, maxBytes - Buffer.byteLength(`\n${marker}`));
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  let kept = bytes.toString('utf8', 0, end);
  for (let length = escaped.length - 1; length > 0; length--) {
    if (!kept.endsWith(escaped.slice(0, length))) continue;
    if (text.startsWith(escaped, kept.length - length)) kept = kept.slice(0, -length);
    break;
  }
  return `${kept}\n${marker}`;
}

/** The inventory for a system prompt: every skill while they are few, the collections once they are many. */
export function renderInventory(
  skills: SkillDescriptor[],
  collections: SkillCollection[],
  { threshold, active = [] }: { threshold: number; active?: string[] },
): string {
  if (skills.length === 0) return '';
  const chosen = new Set(active);
  if (skills.length <= threshold) {
    return [
      '<available_skills>',
      ...skills.flatMap((skill) => skillLines(skill, chosen)),
      '</available_skills>',
    ].join('\n');
  }
  const top = collections.filter((collection) => !collection.path.includes('/'));
  const atRoot = skills.filter((skill) => !skill.id.includes('/') || chosen.has(skill.id));
  return [
    '<available_skills mode="collections">',
    ...top.map(
      ({ path, count, description }) =>
        `  <collection path="${escapeXml(path)}" count="${count}">${escapeXml(oneLine(description))}</collection>`,
    ),
    ...atRoot.slice(0, maxAtRoot).flatMap((skill) => skillLines(skill, chosen)),
    ...(atRoot.length > maxAtRoot
      ? [`  ${atRoot.length - maxAtRoot} more at the root: browse_skills lists them.`]
      : []),
    '',
    '  Use the browse_skills tool to list skills in a collection or search.',
    '  Use the load_skill tool or /collection/skill-name to activate a skill.',
    '</available_skills>',
  ].join('\n');
}

const skillLines = (skill: SkillDescriptor, active: Set<string>): string[] => [
  `  <skill id="${escapeXml(skill.id)}"${active.has(skill.id) ? ' active="true"' : ''}>`,
  `    <description>${escapeXml(oneLine(skill.description))}</description>`,
  '  </skill>',
];

const oneLine = (text: string): string => removeHidden(text).text.replace(/\s+/g, ' ').trim();

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
