import languageTable from './languages.json' with { type: 'json' };

const binary =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|svg|mp[34]|m4[av]|webm|mov|avi|wav|ogg|flac|woff2?|ttf|otf|eot|pdf|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|war|class|o|a|so|dylib|dll|exe|bin|wasm|pyc|node|db|sqlite|parquet|npy|npz|pt|onnx|safetensors|pack|idx|ds_store|psd|ai|sketch|fig|glb|gltf|stl|lockb)$/i;
const secret =
  /(?:^|\/)(?:\.env(?:\.(?!example|sample|template)[^/]*)?|\.npmrc|\.pypirc|\.netrc|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.json)?|[^/]*\.(?:pem|key|p12|pfx|jks|keystore))$/i;

/** Files without searchable text, or with private text. */
export const isLeftOut = (path: string): boolean => binary.test(path) || secret.test(path);

const languages: Record<string, string> = languageTable;

/** The language of most files; prose only if there is no code. */
export function mainLanguage(paths: string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const language = languages[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
    const weight = language && /^(?:Markdown|reStructuredText|AsciiDoc)$/.test(language) ? 0.1 : 1;
    if (language) counts.set(language, (counts.get(language) ?? 0) + weight);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
