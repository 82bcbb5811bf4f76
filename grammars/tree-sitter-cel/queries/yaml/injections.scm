; extends

; The conditions of policies, in YAML, are CEL.

((block_mapping_pair
  key: (flow_node) @_key
  value: [
    (block_node
      (block_sequence
        (block_sequence_item
          (flow_node
            (plain_scalar
              (string_scalar) @injection.content)))))
    (flow_node
      (flow_sequence
        (flow_node
          (plain_scalar
            (string_scalar) @injection.content))))
  ])
  (#eq? @_key "expressions")
  (#set! injection.language "cel"))

; Without the quotes.
((block_mapping_pair
  key: (flow_node) @_key
  value: [
    (block_node
      (block_sequence
        (block_sequence_item
          (flow_node
            [
              (double_quote_scalar)
              (single_quote_scalar)
            ] @injection.content))))
    (flow_node
      (flow_sequence
        (flow_node
          [
            (double_quote_scalar)
            (single_quote_scalar)
          ] @injection.content)))
  ])
  (#eq? @_key "expressions")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "cel"))

; Without the `|` or `>`.
((block_mapping_pair
  key: (flow_node) @_key
  value: (block_node
    (block_sequence
      (block_sequence_item
        (block_node
          (block_scalar) @injection.content)))))
  (#eq? @_key "expressions")
  (#offset! @injection.content 0 1 0 0)
  (#set! injection.language "cel"))
