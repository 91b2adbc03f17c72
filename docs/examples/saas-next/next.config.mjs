export default { serverExternalPackages: ["sightline"] }
