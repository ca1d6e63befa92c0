export const isTailwindConfig = (path: string): boolean =>
  /(^|\/)tailwind(\.[\w-]+)?\.config\.[cm]?[jt]s$/.test(path);

/** Source files whose name suggests design-system values. */
const isThemeFile = (path: string): boolean =>
  /(^|\/)(theme|themes|tokens|design-?tokens|colors?|palette|typography|spacing|shadows?|radii|styles?\/(variables|constants))(\.(tokens|css))?\.[cm]?[jt]sx?$/i.test(
    path,
  ) && !/\.(test|spec|stories|d)\./.test(path);

/** Files that can hold design tokens, by their names. */
export const isTokenFile = (path: string): boolean =>
  (/\.(css|scss|sass|less)$/.test(path) && !/\.min\.css$/.test(path)) ||
  isTailwindConfig(path) ||
  isThemeFile(path) ||
  /(^|\/)[\w.-]*tokens?[\w.-]*\.json$|(^|\/)(design-)?tokens\/.+\.json$/i.test(path);
