"""The rule store: published rule packs in etcd, immutable by version, one version in force each.

Read through rules.store.client; publish through rules.store.packs.PackStore.publish.
"""
