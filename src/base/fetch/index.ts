// Owns: reaching the network by GET (POST where a protocol asks that way), with every address checked, every size and time limited.
// Knows: nothing of ours but errors.
// Must not know: what is fetched for, or how it is stored.
export {
  type AddressRules,
  isPublicAddress,
  type Lookup,
  sameSite,
  type VettedHost,
  vetHost,
} from './addresses.ts';
export { type FetchedDocument, type FetchOptions, fetchUrl } from './fetch-url.ts';
