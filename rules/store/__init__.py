"""The rule store: published rule packs in etcd, immutable by version, one version in force each.

Everything goes through `rules.store.client.store()`, a PackStore that threads share. Its contract:

publish(document, *, author, reason="", over=None, grammar=None) → StoredPack
    The document (complete: nothing is extended any more) becomes the next version and comes into
    force, in one transaction on the revision of the active key: of two authors one gets
    StoreError publish_conflict. `over` is the version that the author saw in force. Raises
    rules.compiler.PackError for a document that does not compile; `grammar` saves compiling it
    again (rules.store.probe.probe_grammar).
rollback(slug, version, *, over=None) → StoredPack
    An older (or again a newer) stored version into force, in a transaction as above.
active(slug), version(slug, n) → StoredPack
    From etcd, or what this machine read last while etcd is away.
versions(slug) → tuple of version numbers, ascending, from etcd itself
in_force() → {slug: Active}, from etcd itself
state(slug), states() → PackState
    live | stale since … | never loaded, asked of etcd at that moment.
acknowledgements(slug) → Acknowledgements
    .nodes: per node id, version, digest, compile_ms, time; or code, reason and the version kept.
    .missing: registered nodes that have said nothing about the pack yet.
wait_for_acknowledgements(slug, version, timeout) → Acknowledgements
    The words on that version; returns as soon as every registered node has given one (taken up or
    refused), after `timeout` seconds, or when another version has come into force.

All raise StoreError (rules.store.records) with a sentence for people, except in_force and versions,
which raise EtcdError.
"""
