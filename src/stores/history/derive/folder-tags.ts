/** Tags that a path gives by itself: its folders, without prefixes that say nothing and without stop tags. */
export interface FolderTagRules {
  stripPrefixes: string[];
  stopTags: string[];
}

export function createFolderTags(rules: FolderTagRules): (path: string) => string[] {
  const noise = new Set(rules.stripPrefixes.map((prefix) => prefix.toLowerCase()));
  const stop = new Set(rules.stopTags.map((tag) => tag.toLowerCase()));
  const byFolder = new Map<string, string[]>();
  return (path) => {
    const end = path.lastIndexOf('/');
    if (end < 0) return [];
    const folder = path.slice(0, end);
    let tags = byFolder.get(folder);
    if (!tags) {
      const names = folder.split('/').map((segment) => segment.trim().toLowerCase());
      tags = [...new Set(names)].filter((name) => name !== '' && !noise.has(name) && !stop.has(name));
      byFolder.set(folder, tags);
    }
    return tags;
  };
}
